package dev.waybill.experiment.example;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ExampleResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Reads examples. */
@Singleton
class ExampleService {

    private final Database database;
    private final DatasetService datasets;
    private final ExampleRepository examples;

    ExampleService(Database database, DatasetService datasets, ExampleRepository examples) {
        this.database = database;
        this.datasets = datasets;
        this.examples = examples;
    }

    /** Returns the matching examples, newest first; 404 if their dataset does not exist. */
    Uni<Page<ExampleResponse>> list(UUID tenantId, ExampleQuery query) {
        return database.inWorkspace(tenantId, connection -> requireDataset(connection, tenantId, query)
                .chain(() -> requireVersion(connection, tenantId, query))
                .chain(() -> examples.list(connection, tenantId, query))
                .chain(found -> examples.count(connection, tenantId, query).map(total -> new Page<>(found, total))));
    }

    /** Returns the example; 404 if it does not exist. */
    Uni<ExampleResponse> get(UUID tenantId, UUID id) {
        ExampleQuery one = ExampleQuery.ofIds(List.of(id));
        return database.inWorkspace(tenantId, connection -> examples.list(connection, tenantId, one))
                .map(found -> found.stream().findFirst().orElseThrow(() -> ProblemException.notFound("example", id)));
    }

    /**
     * Returns the example. Fails with 404 if it was created after {@code asOf}, and 422 if it was updated after it; null stands
     * for the current time.
     */
    Uni<ExampleResponse> get(UUID tenantId, UUID id, @Nullable Instant asOf) {
        return get(tenantId, id).invoke(example -> {
            if (asOf != null && example.createdAt().isAfter(asOf)) {
                throw ProblemException.notFound("example", id);
            }
            if (asOf != null && example.modifiedAt().isAfter(asOf)) {
                throw ProblemException
                        .invalid(Violation.of("as_of", "is before the example was updated, and earlier versions are"
                                + " not stored; use latest or a later time", "unsupported"));
            }
        });
    }

    // Only the latest version is stored. An earlier one is readable if examples were only added since.
    private Uni<Void> requireVersion(SqlConnection connection, UUID tenantId, ExampleQuery query) {
        UUID datasetId = query.datasetId();
        Instant asOf = query.asOf();
        if (datasetId == null || asOf == null) {
            return Uni.createFrom().voidItem();
        }
        return examples.isUnchangedSince(connection, tenantId, datasetId, asOf)
                .chain(unchanged -> unchanged ? Uni.createFrom().item(false)
                        : hasChangedSince(connection, tenantId, datasetId, asOf))
                .invoke(changed -> {
                    if (changed) {
                        throw ProblemException.invalid(Violation.of("as_of", "is before examples of the dataset were updated or"
                                + " deleted, and earlier versions are not stored; use latest or a later time", "unsupported"));
                    }
                })
                .replaceWithVoid();
    }

    private Uni<Boolean> hasChangedSince(SqlConnection connection, UUID tenantId, UUID datasetId, Instant time) {
        return datasets.hasRemovedExamplesSince(connection, tenantId, datasetId, time)
                .chain(removed -> removed ? Uni.createFrom().item(true)
                        : examples.hasChangedSince(connection, tenantId, datasetId, time));
    }

    private Uni<?> requireDataset(SqlConnection connection, UUID tenantId, ExampleQuery query) {
        return query.datasetId() == null
                ? Uni.createFrom().voidItem()
                : datasets.require(connection, tenantId, query.datasetId());
    }
}
