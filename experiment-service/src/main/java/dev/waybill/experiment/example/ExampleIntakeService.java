package dev.waybill.experiment.example;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.ChangedExamplesResponse;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.BodyDigest;
import io.smallrye.mutiny.Uni;

/** Takes examples in by hand: reads and checks a body away from the event loop, then stores it. */
@Singleton
class ExampleIntakeService {

    private final Blocking blocking;
    private final ExampleReader reader;
    private final ExampleStore store;

    ExampleIntakeService(Blocking blocking, ExampleReader reader, ExampleStore store) {
        this.blocking = blocking;
        this.reader = reader;
        this.store = store;
    }

    /** Stores the one example in {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> create(BodyDigest digest, UUID tenantId, Body body) {
        return blocking.call(() -> reader.newOne(body))
                .chain(example -> store.insert(tenantId, List.of(example)));
    }

    /** Stores the list of examples in {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> createList(BodyDigest digest, UUID tenantId, Body body) {
        return blocking.call(() -> reader.newList(body))
                .chain(examples -> store.insert(tenantId, examples));
    }

    /** Stores the form of examples in {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> createForm(BodyDigest digest, UUID tenantId, UUID datasetId, Body body) {
        return blocking.call(() -> reader.newForm(body, datasetId))
                .chain(examples -> store.insert(tenantId, examples));
    }

    /** Changes one example. */
    Uni<ChangedExamplesResponse> update(UUID tenantId, UUID id, Body body) {
        return blocking.call(() -> reader.change(body, id))
                .chain(example -> store.update(tenantId, example.datasetId, List.of(example)));
    }

    /** Changes the examples of one dataset that the form in {@code body} names. */
    Uni<ChangedExamplesResponse> updateForm(UUID tenantId, UUID datasetId, Body body) {
        return blocking.call(() -> reader.changeForm(body, datasetId))
                .chain(examples -> store.update(tenantId, datasetId, examples));
    }

    /** Removes examples. */
    Uni<Void> remove(UUID tenantId, Set<UUID> ids) {
        return store.remove(tenantId, ids);
    }
}
