package dev.waybill.experiment.example;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ChangedExamplesResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.BodyDigest;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Creates, updates and deletes examples of ordinary datasets: parses and validates a body off the event loop, then stores it
 * in one transaction.
 */
@Singleton
class ExampleIntakeService {

    private final Blocking blocking;
    private final ExampleReader reader;
    private final Database database;
    private final DatasetService datasets;
    private final ExampleRepository examples;
    private final CreatedResourceRecorder idempotency;
    private final Clock clock;

    ExampleIntakeService(Blocking blocking, ExampleReader reader, Database database, DatasetService datasets,
            ExampleRepository examples, CreatedResourceRecorder idempotency, Clock clock) {
        this.blocking = blocking;
        this.reader = reader;
        this.database = database;
        this.datasets = datasets;
        this.examples = examples;
        this.idempotency = idempotency;
        this.clock = clock;
    }

    /** Creates the example in {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> create(BodyDigest digest, UUID tenantId, Body body) {
        return blocking.call(() -> reader.readNew(body))
                .chain(example -> insert(tenantId, List.of(example)));
    }

    /** Creates the examples in the JSON list {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> createList(BodyDigest digest, UUID tenantId, Body body) {
        return blocking.call(() -> reader.readNewList(body))
                .chain(examples -> insert(tenantId, examples));
    }

    /** Creates the examples in the multipart form {@code body}. */
    @Idempotent
    public Uni<ChangedExamplesResponse> createForm(BodyDigest digest, UUID tenantId, UUID datasetId, Body body) {
        return blocking.call(() -> reader.readNewForm(body, datasetId))
                .chain(examples -> insert(tenantId, examples));
    }

    /** Updates one example. */
    Uni<ChangedExamplesResponse> update(UUID tenantId, UUID id, Body body) {
        return blocking.call(() -> reader.readUpdate(body, id))
                .chain(example -> update(tenantId, example.datasetId, List.of(example)));
    }

    /** Updates the examples of one dataset that are in the multipart form {@code body}. */
    Uni<ChangedExamplesResponse> updateForm(UUID tenantId, UUID datasetId, Body body) {
        return blocking.call(() -> reader.readUpdateForm(body, datasetId))
                .chain(examples -> update(tenantId, datasetId, examples));
    }

    // 409 if an id exists, or if the dataset is managed by uploads.
    private Uni<ChangedExamplesResponse> insert(UUID tenantId, List<ReceivedExample> fields) {
        List<UUID> ids = ids(fields);
        Set<UUID> datasetIds = fields.stream().map(example -> Objects.requireNonNull(example.datasetId))
                .collect(Collectors.toCollection(TreeSet::new));
        OffsetDateTime now = now();
        return database.inWorkspace(tenantId, connection -> datasets.lockForChange(connection, tenantId, datasetIds)
                .chain(() -> examples.insert(connection, tenantId, fields, now))
                .invoke(created -> requireCreated(ids, created))
                .call(() -> ids.isEmpty() ? Uni.createFrom().voidItem()
                        : idempotency.recordCreated(ids.getFirst(), connection)))
                .replaceWith(ChangedExamplesResponse.of(ids));
    }

    // 404 if one does not exist, or is not in the dataset where that is set.
    private Uni<ChangedExamplesResponse> update(UUID tenantId, @Nullable UUID datasetId, List<ReceivedExample> fields) {
        List<UUID> ids = ids(fields);
        OffsetDateTime now = now();
        return database.inWorkspace(tenantId, connection -> lockDatasets(connection, tenantId, datasetId, Set.copyOf(ids))
                .chain(datasetIds -> examples.update(connection, tenantId, fields, now)))
                .replaceWith(ChangedExamplesResponse.of(ids));
    }

    /** Deletes examples, but not the runs on them; 404 if one does not exist. */
    Uni<Void> remove(UUID tenantId, Set<UUID> ids) {
        return database.inWorkspace(tenantId, connection -> lockDatasets(connection, tenantId, null, ids)
                .chain(datasetIds -> datasets.recordRemovedExamples(connection, tenantId, datasetIds))
                .chain(() -> examples.remove(connection, tenantId, ids)));
    }

    // Locks the examples' datasets before the examples, as everywhere, to avoid deadlocks; returns the dataset ids.
    private Uni<Set<UUID>> lockDatasets(SqlConnection connection, UUID tenantId, @Nullable UUID datasetId, Set<UUID> ids) {
        return examples.datasetsOf(connection, tenantId, ids)
                .invoke(found -> requireExisting(ids, datasetId, found))
                .map(found -> Set.copyOf(found.values()))
                .call(datasetIds -> datasets.lockForChange(connection, tenantId, datasetIds));
    }

    private static void requireExisting(Set<UUID> ids, @Nullable UUID datasetId, Map<UUID, UUID> found) {
        for (UUID id : ids) {
            UUID dataset = found.get(id);
            if (dataset == null || datasetId != null && !datasetId.equals(dataset)) {
                throw ProblemException.notFound("example", id);
            }
        }
    }

    private static void requireCreated(List<UUID> ids, Set<UUID> created) {
        ids.stream().filter(id -> !created.contains(id)).findFirst().ifPresent(id -> {
            throw ProblemException
                    .conflict("An example " + id + " already exists in this workspace or is repeated in the request; update it"
                            + " with PATCH, or use another id.");
        });
    }

    private static List<UUID> ids(List<ReceivedExample> fields) {
        return fields.stream().map(example -> Objects.requireNonNull(example.id)).toList();
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }
}
