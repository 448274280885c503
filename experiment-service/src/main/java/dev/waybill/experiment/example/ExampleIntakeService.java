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

/** Creates, updates and deletes examples: parses and validates a body off the event loop, then stores it. */
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

    /** Creates the example in {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> create(BodyDigest digest, UUID tenantId, Body body) {
        return blocking.call(() -> reader.readNew(body))
                .chain(example -> store.insert(tenantId, List.of(example)));
    }

    /** Creates the examples in the JSON list {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> createList(BodyDigest digest, UUID tenantId, Body body) {
        return blocking.call(() -> reader.readNewList(body))
                .chain(examples -> store.insert(tenantId, examples));
    }

    /** Creates the examples in the multipart form {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> createForm(BodyDigest digest, UUID tenantId, UUID datasetId, Body body) {
        return blocking.call(() -> reader.readNewForm(body, datasetId))
                .chain(examples -> store.insert(tenantId, examples));
    }

    /** Updates one example. */
    Uni<ChangedExamplesResponse> update(UUID tenantId, UUID id, Body body) {
        return blocking.call(() -> reader.readUpdate(body, id))
                .chain(example -> store.update(tenantId, example.datasetId, List.of(example)));
    }

    /** Updates the examples of one dataset that are in the multipart form {@code body}. */
    Uni<ChangedExamplesResponse> updateForm(UUID tenantId, UUID datasetId, Body body) {
        return blocking.call(() -> reader.readUpdateForm(body, datasetId))
                .chain(examples -> store.update(tenantId, datasetId, examples));
    }

    /** Deletes examples. */
    Uni<Void> remove(UUID tenantId, Set<UUID> ids) {
        return store.remove(tenantId, ids);
    }
}
