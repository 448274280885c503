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
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.common.page.Slice;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.dataset.DatasetRepository.Candidate;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** What can be done with datasets (contract.md "Experiment upload"). */
@Singleton
public class DatasetService {

    private static final String UNIQUE_VIOLATION = "23505";

    private final Database database;
    private final DatasetRepository datasets;
    private final Ids ids;
    private final Clock clock;
    private final IdempotentCreation mark;

    DatasetService(Database database, DatasetRepository datasets, Ids ids, Clock clock, IdempotentCreation mark) {
        this.database = database;
        this.datasets = datasets;
        this.ids = ids;
        this.clock = clock;
        this.mark = mark;
    }

    /** A new ordinary dataset; 409 when its name or id is taken. */
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
                                "A dataset named \"" + request.name() + "\", or with this id, is already in this workspace.");
                    }
                })
                .chain(() -> datasets.require(connection, tenantId, id))
                .call(made -> mark.recordCreated(made.id(), connection)));
    }

    Uni<DatasetResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, id));
    }

    /** The changed dataset; 404 when it is not there, 422 when the baseline is no experiment of it. */
    Uni<DatasetResponse> update(UUID tenantId, UUID id, UpdateDatasetRequest request) {
        Tuple values = Tuple.of(tenantId, id, request.baselineExperimentId(), directions(request), now())
                .addString(request.name())
                .addString(request.description());
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, id)
                .call(() -> requireBaseline(connection, tenantId, id, request.baselineExperimentId()))
                .call(() -> datasets.update(connection, values))
                .chain(() -> datasets.require(connection, tenantId, id)))
                .onFailure(DatasetService::isTakenName).transform(failure -> ProblemException.conflict("A dataset named \""
                        + request.name() + "\" is already in this workspace."));
    }

    private static boolean isTakenName(Throwable failure) {
        return failure instanceof PgException told && UNIQUE_VIOLATION.equals(told.getSqlState());
    }

    private Uni<Void> requireBaseline(SqlConnection connection, UUID tenantId, UUID id, @Nullable UUID baseline) {
        if (baseline == null) {
            return Uni.createFrom().voidItem();
        }
        return datasets.isExperiment(connection, tenantId, id, baseline)
                .invoke(isOne -> {
                    if (!isOne) {
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

    Uni<Slice<DatasetResponse>> list(UUID tenantId, DatasetQuery query) {
        return database.inWorkspace(tenantId, connection -> datasets.list(connection, tenantId, query)
                .chain(found -> datasets.count(connection, tenantId, query).map(total -> new Slice<>(found, total))));
    }

    /** The dataset as it stands in the caller's transaction; 404 when it is not there. */
    public Uni<DatasetResponse> require(SqlConnection connection, UUID tenantId, UUID id) {
        return datasets.require(connection, tenantId, id);
    }

    /**
     * A place for an experiment in the dataset that is meant, which is made when it is not there yet. 409 when it was not made
     * by uploads, or when id and name are of different ones.
     */
    public Uni<TestRunAllocation> takePlace(SqlConnection connection, UUID tenantId, DatasetReference wanted) {
        UUID id = wanted.id() == null ? ids.newId() : wanted.id();
        String name = wanted.name() == null ? generatedName() : wanted.name();
        Tuple row = Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(id)
                .addString(name)
                .addString(wanted.description())
                .addBoolean(true)
                .addValue(null)
                .addValue(null)
                .addValue(null)
                .addOffsetDateTime(now())
                .addValue(null);
        return datasets.insert(connection, row)
                .chain(() -> datasets.candidates(connection, tenantId, id, name))
                .map(found -> choose(found, wanted))
                .chain(chosen -> datasets.takePlace(connection,
                        Tuple.of(tenantId, chosen, wanted.description(), now())));
    }

    /**
     * Keeps others from giving places in the dataset until the transaction ends; 404 when it is not there. Before anything that
     * may be refused: a place that was taken and not used would be a gap.
     */
    public Uni<Void> lock(SqlConnection connection, UUID tenantId, UUID id) {
        return datasets.lock(connection, tenantId, id)
                .invoke(isThere -> {
                    if (!isThere) {
                        throw ProblemException.notFound("dataset", id);
                    }
                })
                .replaceWithVoid();
    }

    /** A place for an experiment in a dataset that is locked, however it was made. */
    public Uni<TestRunAllocation> takePlace(SqlConnection connection, UUID tenantId, UUID id) {
        return datasets.takePlace(connection, Tuple.of(tenantId, id, null, now()));
    }

    /**
     * Lets the examples of these datasets be changed by hand, one transaction at a time; 404 when one is not there, 409 when
     * uploads manage it.
     */
    public Uni<Void> changeByHand(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return datasets.touch(connection, tenantId, ids, now())
                .invoke(found -> requireOpen(ids, found))
                .replaceWithVoid();
    }

    /** Stores that examples of datasets that are locked were removed: what these were before cannot be read any more. */
    public Uni<Void> examplesRemoved(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return datasets.examplesRemoved(connection, tenantId, ids, now());
    }

    /** Returns whether an example of the dataset was removed after {@code time}. */
    public Uni<Boolean> removedSince(SqlConnection connection, UUID tenantId, UUID id, Instant time) {
        return datasets.removedSince(connection, tenantId, id, time.atOffset(ZoneOffset.UTC));
    }

    private static void requireOpen(Set<UUID> ids, List<Candidate> found) {
        for (UUID id : ids) {
            Candidate dataset = found.stream()
                    .filter(one -> one.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.notFound("dataset", id));
            if (dataset.externallyManaged()) {
                throw ProblemException.conflict("The examples of the dataset \"" + dataset.name()
                        + "\" come with the experiments that are uploaded to it, so they cannot be changed by hand.");
            }
        }
    }

    /** Which of the datasets with the id or the name is meant. */
    static UUID choose(List<Candidate> found, DatasetReference wanted) {
        Candidate named = found.stream().filter(one -> one.name().equals(wanted.name())).findFirst().orElse(null);
        Candidate identified = found.stream().filter(one -> one.id().equals(wanted.id())).findFirst().orElse(null);
        if (found.isEmpty()) {
            throw DatasetRepository.justDeleted();
        }
        Candidate chosen = identified != null ? identified : named != null ? named : found.getFirst();
        if (wanted.id() != null && !chosen.id().equals(wanted.id())) {
            throw ProblemException.conflict("dataset_id and dataset_name are of different datasets: the dataset named \""
                    + wanted.name() + "\" has another id.");
        }
        if (wanted.name() != null && !chosen.name().equals(wanted.name())) {
            throw ProblemException.conflict("dataset_id and dataset_name are of different datasets: the dataset "
                    + chosen.id() + " has another name.");
        }
        if (!chosen.externallyManaged()) {
            throw ProblemException.conflict("The dataset \"" + chosen.name()
                    + "\" was not made by uploads, so experiments cannot be uploaded to it; name another one.");
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
}
