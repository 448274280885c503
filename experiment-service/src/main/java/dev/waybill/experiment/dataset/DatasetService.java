package dev.waybill.experiment.dataset;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.experiment.CreateDatasetRequest;
import dev.waybill.common.api.experiment.DatasetResponse;
import dev.waybill.common.api.experiment.UpdateDatasetRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.dataset.DatasetRepository.Candidate;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Creates, reads and updates datasets (contract.md "Experiment upload"). */
@Singleton
public class DatasetService {

    private static final String UNIQUE_VIOLATION = "23505";

    private final Database database;
    private final DatasetRepository datasets;
    private final Ids ids;
    private final Clock clock;
    private final CreatedResourceRecorder idempotency;

    DatasetService(Database database, DatasetRepository datasets, Ids ids, Clock clock, CreatedResourceRecorder idempotency) {
        this.database = database;
        this.datasets = datasets;
        this.ids = ids;
        this.clock = clock;
        this.idempotency = idempotency;
    }

    /** Creates an ordinary dataset; 409 if its name or id exists. */
    Uni<DatasetResponse> create(UUID tenantId, CreateDatasetRequest request) {
        UUID id = request.id() == null ? ids.newId() : request.id();
        Tuple row = Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(id)
                .addString(request.name())
                .addString(request.description())
                .addBoolean(false)
                .addString(request.dataType())
                .addString(text(request.inputsSchemaDefinition()))
                .addString(text(request.outputsSchemaDefinition()))
                .addOffsetDateTime(now())
                .addString(metadata(request.extra()));
        return database.inWorkspace(tenantId, connection -> datasets.insert(connection, row)
                .invoke(isNew -> {
                    if (!isNew) {
                        throw ProblemException.conflict(
                                "A dataset named \"" + request.name()
                                        + "\", or with this id, already exists in this workspace.");
                    }
                })
                .chain(() -> datasets.require(connection, tenantId, id))
                .call(dataset -> idempotency.recordCreated(dataset.id(), connection)));
    }

    Uni<DatasetResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, id));
    }

    /** Updates the dataset; 404 if it does not exist, 422 if the baseline is not one of its experiments. */
    Uni<DatasetResponse> update(UUID tenantId, UUID id, UpdateDatasetRequest request) {
        Tuple values = Tuple.of(tenantId, id, request.baselineExperimentId(), directions(request), now())
                .addString(request.name())
                .addString(request.description());
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, id)
                .call(() -> requireBaseline(connection, tenantId, id, request.baselineExperimentId()))
                .call(() -> datasets.update(connection, values))
                .chain(() -> datasets.require(connection, tenantId, id)))
                .onFailure(DatasetService::isNameConflict).transform(failure -> ProblemException.conflict("A dataset named \""
                        + request.name() + "\" already exists in this workspace."));
    }

    private static boolean isNameConflict(Throwable failure) {
        return failure instanceof PgException error && UNIQUE_VIOLATION.equals(error.getSqlState());
    }

    private Uni<Void> requireBaseline(SqlConnection connection, UUID tenantId, UUID id, @Nullable UUID baseline) {
        if (baseline == null) {
            return Uni.createFrom().voidItem();
        }
        return datasets.isExperiment(connection, tenantId, id, baseline)
                .invoke(isExperiment -> {
                    if (!isExperiment) {
                        throw ProblemException.invalid(Violation.of("baseline_experiment_id",
                                "must be an experiment of this dataset", "invalid"));
                    }
                })
                .replaceWithVoid();
    }

    private static @Nullable String directions(UpdateDatasetRequest request) {
        if (request.higherIsBetter() == null) {
            return null;
        }
        ObjectNode directions = JsonNodeFactory.instance.objectNode();
        request.higherIsBetter().forEach(directions::put);
        return directions.toString();
    }

    Uni<Page<DatasetResponse>> list(UUID tenantId, DatasetQuery query) {
        return database.inWorkspace(tenantId, connection -> datasets.list(connection, tenantId, query)
                .chain(found -> datasets.count(connection, tenantId, query).map(total -> new Page<>(found, total))));
    }

    /** Returns the dataset as the caller's transaction sees it; 404 if it does not exist. */
    public Uni<DatasetResponse> require(SqlConnection connection, UUID tenantId, UUID id) {
        return datasets.require(connection, tenantId, id);
    }

    /**
     * Allocates a test run number in the referenced dataset, which is created if it does not exist. 409 if it was not
     * created by an upload, or if id and name name different datasets.
     */
    public Uni<TestRunAllocation> allocateTestRun(SqlConnection connection, UUID tenantId, DatasetReference reference) {
        UUID id = reference.id() == null ? ids.newId() : reference.id();
        String name = reference.name() == null ? generatedName() : reference.name();
        Tuple row = Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(id)
                .addString(name)
                .addString(reference.description())
                .addBoolean(true)
                .addValue(null)
                .addValue(null)
                .addValue(null)
                .addOffsetDateTime(now())
                .addValue(null);
        return datasets.insert(connection, row)
                .chain(() -> datasets.candidates(connection, tenantId, id, name))
                .map(found -> choose(found, reference))
                .chain(datasetId -> datasets.allocateTestRun(connection,
                        Tuple.of(tenantId, datasetId, reference.description(), now())));
    }

    /**
     * Locks the dataset until the transaction ends, so that no other transaction allocates test run numbers. Call it before
     * anything that may fail: an allocated and unused number would be a gap. 404 if the dataset does not exist.
     */
    public Uni<Void> lock(SqlConnection connection, UUID tenantId, UUID id) {
        return datasets.lock(connection, tenantId, id)
                .invoke(exists -> {
                    if (!exists) {
                        throw ProblemException.notFound("dataset", id);
                    }
                })
                .replaceWithVoid();
    }

    /** Allocates a test run number in a locked dataset of either kind. */
    public Uni<TestRunAllocation> allocateTestRun(SqlConnection connection, UUID tenantId, UUID id) {
        return datasets.allocateTestRun(connection, Tuple.of(tenantId, id, null, now()));
    }

    /**
     * Locks ordinary datasets so that one transaction at a time changes their examples; 404 if one does not exist, 409 if it
     * is managed by uploads.
     */
    public Uni<Void> lockForChange(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return datasets.lockAndTouch(connection, tenantId, ids, now())
                .invoke(found -> requireOrdinary(ids, found))
                .replaceWithVoid();
    }

    /** Records that examples of locked datasets were removed: earlier versions of these datasets cannot be read from now on. */
    public Uni<Void> recordRemovedExamples(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return datasets.recordRemovedExamples(connection, tenantId, ids, now());
    }

    /** Returns whether an example of the dataset was removed after {@code time}. */
    public Uni<Boolean> hasRemovedExamplesSince(SqlConnection connection, UUID tenantId, UUID id, Instant time) {
        return datasets.hasRemovedExamplesSince(connection, tenantId, id, time.atOffset(ZoneOffset.UTC));
    }

    private static void requireOrdinary(Set<UUID> ids, List<Candidate> found) {
        for (UUID id : ids) {
            Candidate dataset = found.stream()
                    .filter(candidate -> candidate.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.notFound("dataset", id));
            if (dataset.externallyManaged()) {
                throw ProblemException.conflict("The examples of the dataset \"" + dataset.name()
                        + "\" are managed by experiment uploads, so they cannot be changed directly.");
            }
        }
    }

    /** Selects the referenced dataset from those with its id or name. */
    static UUID choose(List<Candidate> found, DatasetReference reference) {
        Candidate named = found.stream().filter(candidate -> candidate.name().equals(reference.name())).findFirst()
                .orElse(null);
        Candidate identified = found.stream().filter(candidate -> candidate.id().equals(reference.id())).findFirst()
                .orElse(null);
        if (found.isEmpty()) {
            throw DatasetRepository.beingDeleted();
        }
        Candidate chosen = identified != null ? identified : named != null ? named : found.getFirst();
        if (reference.id() != null && !chosen.id().equals(reference.id())) {
            throw ProblemException.conflict("dataset_id and dataset_name name different datasets: the dataset named \""
                    + reference.name() + "\" has another id.");
        }
        if (reference.name() != null && !chosen.name().equals(reference.name())) {
            throw ProblemException.conflict("dataset_id and dataset_name name different datasets: the dataset "
                    + chosen.id() + " has another name.");
        }
        if (!chosen.externallyManaged()) {
            throw ProblemException.conflict("The dataset \"" + chosen.name()
                    + "\" was not created by an upload, so experiments cannot be uploaded to it; use another dataset.");
        }
        return chosen.id();
    }

    private String generatedName() {
        return "external-dataset-%08x".formatted((int) ids.newId().getLeastSignificantBits());
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }

    private static @Nullable String metadata(@Nullable ObjectNode extra) {
        return extra != null && extra.get("metadata") instanceof ObjectNode metadata ? metadata.toString() : null;
    }

    private static @Nullable String text(@Nullable ObjectNode schema) {
        return schema == null ? null : schema.toString();
    }

    /**
     * The dataset of an upload, by id, by name, or by both, which must then name the same dataset.
     *
     * @param description the description for a dataset that has none
     */
    public record DatasetReference(@Nullable UUID id, @Nullable String name, @Nullable String description) {
    }

    /**
     * The test run number that a transaction has allocated for a new experiment; the dataset stays locked until the transaction
     * ends.
     *
     * @param testRunNumber the number of the experiment within its dataset, counted from 1
     */
    public record TestRunAllocation(UUID datasetId, String datasetName, int testRunNumber) {

        /** Returns whether this is the first experiment, so the dataset is still empty. */
        public boolean isFirst() {
            return testRunNumber == 1;
        }
    }
}
