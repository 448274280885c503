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
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Stores what is done to examples by hand, each request in one transaction: all of it or nothing. */
@Singleton
class ExampleStore {

    private final Database database;
    private final DatasetService datasets;
    private final ExampleRepository examples;
    private final IdempotentCreation mark;
    private final Clock clock;

    ExampleStore(Database database, DatasetService datasets, ExampleRepository examples, IdempotentCreation mark, Clock clock) {
        this.database = database;
        this.datasets = datasets;
        this.examples = examples;
        this.mark = mark;
        this.clock = clock;
    }

    /** New examples; 409 when an id is taken, or when uploads manage the dataset. */
    Uni<ChangedExamplesResponse> insert(UUID tenantId, List<ExampleFields> told) {
        List<UUID> ids = ids(told);
        Set<UUID> datasetIds = told.stream().map(example -> Objects.requireNonNull(example.datasetId))
                .collect(Collectors.toCollection(TreeSet::new));
        OffsetDateTime now = now();
        return database.inWorkspace(tenantId, connection -> datasets.changeByHand(connection, tenantId, datasetIds)
                .chain(() -> examples.insert(connection, tenantId, told, now))
                .invoke(made -> requireAll(ids, made))
                .call(() -> ids.isEmpty() ? Uni.createFrom().voidItem() : mark.recordCreated(ids.getFirst(), connection)))
                .replaceWith(ChangedExamplesResponse.of(ids));
    }

    /** Changes examples; 404 for one that is not there, or not in {@code datasetId} where that is given. */
    Uni<ChangedExamplesResponse> update(UUID tenantId, @Nullable UUID datasetId, List<ExampleFields> told) {
        List<UUID> ids = ids(told);
        OffsetDateTime now = now();
        return database.inWorkspace(tenantId, connection -> open(connection, tenantId, datasetId, Set.copyOf(ids))
                .chain(changed -> examples.update(connection, tenantId, told, now)))
                .replaceWith(ChangedExamplesResponse.of(ids));
    }

    /** Removes examples; what was run on them stays. 404 for one that is not there. */
    Uni<Void> remove(UUID tenantId, Set<UUID> ids) {
        return database.inWorkspace(tenantId, connection -> open(connection, tenantId, null, ids)
                .chain(changed -> datasets.examplesRemoved(connection, tenantId, changed))
                .chain(() -> examples.remove(connection, tenantId, ids)));
    }

    // Datasets are always locked before their examples. Returns which they are.
    private Uni<Set<UUID>> open(SqlConnection connection, UUID tenantId, @Nullable UUID datasetId, Set<UUID> ids) {
        return examples.datasetsOf(connection, tenantId, ids)
                .invoke(found -> requireThere(ids, datasetId, found))
                .map(found -> Set.copyOf(found.values()))
                .call(changed -> datasets.changeByHand(connection, tenantId, changed));
    }

    private static void requireThere(Set<UUID> ids, @Nullable UUID datasetId, Map<UUID, UUID> found) {
        for (UUID id : ids) {
            UUID dataset = found.get(id);
            if (dataset == null || datasetId != null && !datasetId.equals(dataset)) {
                throw ProblemException.notFound("example", id);
            }
        }
    }

    private static void requireAll(List<UUID> ids, Set<UUID> made) {
        ids.stream().filter(id -> !made.contains(id)).findFirst().ifPresent(id -> {
            throw ProblemException.conflict("An example " + id + " is already in this workspace, or is given twice; change it"
                    + " with PATCH, or send the new one under another id.");
        });
    }

    private static List<UUID> ids(List<ExampleFields> told) {
        return told.stream().map(example -> Objects.requireNonNull(example.id)).toList();
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }
}
