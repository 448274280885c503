package dev.waybill.experiment.session;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.trace.CreateSessionRequest;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.api.trace.UpdateSessionRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.dataset.DatasetService;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.run.TraceTransaction;
import dev.waybill.experiment.run.TraceTransaction.Lock;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Creates, updates and finds sessions. */
@Singleton
public class SessionService {

    private static final String UNIQUE_VIOLATION = "23505";

    private final Database database;
    private final SessionRepository sessions;
    private final DatasetService datasets;
    private final TraceTransaction transactions;
    private final Ids ids;
    private final Clock clock;
    private final CreatedResourceRecorder idempotentCreation;
    private final ChangeRecorder changes;

    SessionService(Database database, SessionRepository sessions, DatasetService datasets,
            TraceTransaction transactions, Ids ids, Clock clock, CreatedResourceRecorder idempotentCreation,
            ChangeRecorder changes) {
        this.database = database;
        this.sessions = sessions;
        this.datasets = datasets;
        this.transactions = transactions;
        this.ids = ids;
        this.clock = clock;
        this.idempotentCreation = idempotentCreation;
        this.changes = changes;
    }

    /**
     * Creates a session; responds with 409 if its name is taken, unless {@code upsert} updates the existing session. A
     * session with a dataset is an experiment and gets a number there; responds with 404 if the dataset does not exist.
     */
    Uni<SessionResponse> create(UUID tenantId, CreateSessionRequest request, boolean upsert) {
        // Waits for concurrent removals, so that the insert sees their commit.
        return transactions.run(tenantId, Lock.SHARED,
                connection -> lockDataset(connection, tenantId, request.referenceDatasetId())
                        .chain(() -> sessions.insert(connection, insertValues(tenantId, request)))
                        .chain(inserted -> inserted.map(session -> assignNumber(connection, tenantId, session))
                                .orElseGet(() -> handleConflict(connection, tenantId, request, upsert)))
                        .call(session -> idempotentCreation.recordCreated(session.id(), connection)))
                .invoke(session -> recordChange(tenantId, session));
    }

    private void recordChange(UUID tenantId, SessionResponse session) {
        changes.ofSession(tenantId, ChangeType.SESSION, session.id(), session.referenceDatasetId());
    }

    // Uploads also lock the dataset before they insert the session, which prevents deadlocks.
    private Uni<Void> lockDataset(SqlConnection connection, UUID tenantId, @Nullable UUID datasetId) {
        return datasetId == null ? Uni.createFrom().voidItem() : datasets.lock(connection, tenantId, datasetId);
    }

    // Numbers of experiments are consecutive within their dataset, together with those of uploads.
    private Uni<SessionResponse> assignNumber(SqlConnection connection, UUID tenantId, SessionResponse session) {
        return session.referenceDatasetId() == null
                ? Uni.createFrom().item(session)
                : datasets.allocateTestRun(connection, tenantId, session.referenceDatasetId())
                        .chain(allocation -> sessions.setNumber(connection, tenantId, session.id(),
                                allocation.testRunNumber()));
    }

    private Uni<SessionResponse> handleConflict(SqlConnection connection, UUID tenantId, CreateSessionRequest request,
            boolean upsert) {
        return sessions.findByName(connection, tenantId, request.name())
                .map(found -> found.orElseThrow(() -> ProblemException
                        .conflict("The id belongs to a session that exists or is being deleted, or an experiment of the dataset"
                                + " has this name.")))
                .chain(found -> upsert
                        ? update(connection, found.id(), updateValues(tenantId, found.id(), request))
                        : Uni.createFrom().failure(nameConflict(request.name())));
    }

    Uni<SessionResponse> update(UUID tenantId, UUID id, UpdateSessionRequest request) {
        return database.inWorkspace(tenantId, connection -> update(connection, id, updateValues(tenantId, id, request)))
                .onFailure(SessionService::isNameTaken).transform(failure -> nameConflict(String.valueOf(request.name())))
                .invoke(session -> recordChange(tenantId, session));
    }

    private Uni<SessionResponse> update(SqlConnection connection, UUID id, Tuple values) {
        return sessions.update(connection, values)
                .map(found -> found.orElseThrow(() -> ProblemException.notFound("session", id)));
    }

    private static boolean isNameTaken(Throwable failure) {
        return failure instanceof PgException e && UNIQUE_VIOLATION.equals(e.getSqlState());
    }

    private static ProblemException nameConflict(String name) {
        return ProblemException.conflict("A session named \"" + name + "\" already exists in this workspace.");
    }

    /** Creates an uploaded experiment; responds with 409 if its name is taken in its dataset. */
    public Uni<SessionResponse> createExperiment(SqlConnection connection, UUID tenantId, NewExperiment experiment) {
        Tuple values = Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(ids.newId())
                .addString(experiment.name())
                .addString(experiment.description())
                .addOffsetDateTime(utc(experiment.startTime()))
                .addOffsetDateTime(utc(experiment.endTime()))
                .addValue(experiment.extra() == null ? null : experiment.extra().toBuffer())
                .addUUID(experiment.datasetId())
                .addInteger(experiment.testRunNumber())
                .addOffsetDateTime(now());
        return sessions.insertExperiment(connection, values)
                .map(inserted -> inserted
                        .orElseThrow(() -> ProblemException.conflict("An experiment named \"" + experiment.name()
                                + "\" already exists in this dataset; use another experiment_name.")));
    }

    private Tuple insertValues(UUID tenantId, CreateSessionRequest request) {
        OffsetDateTime now = now();
        return Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(request.id() == null ? ids.newId() : request.id())
                .addString(request.name())
                .addString(request.description())
                .addOffsetDateTime(request.startTime() == null ? now : utc(request.startTime()))
                .addOffsetDateTime(utc(request.endTime()))
                .addString(text(request.extra()))
                .addUUID(request.defaultDatasetId())
                .addUUID(request.referenceDatasetId())
                .addString(request.traceTier())
                .addOffsetDateTime(now);
    }

    private Tuple updateValues(UUID tenantId, UUID id, CreateSessionRequest request) {
        return updateValues(tenantId, id, new UpdateSessionRequest(null, request.description(), request.startTime(),
                request.endTime(), request.extra(), request.defaultDatasetId(), request.traceTier()));
    }

    private Tuple updateValues(UUID tenantId, UUID id, UpdateSessionRequest request) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(id)
                .addString(request.name())
                .addString(request.description())
                .addOffsetDateTime(utc(request.startTime()))
                .addOffsetDateTime(utc(request.endTime()))
                .addString(text(request.extra()))
                .addUUID(request.defaultDatasetId())
                .addString(request.traceTier())
                .addOffsetDateTime(now());
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable String text(@Nullable ObjectNode extra) {
        return extra == null ? null : extra.toString();
    }

    /**
     * An experiment that ran outside of Waybill.
     *
     * @param extra a JSON object
     * @param datasetId the dataset that it ran on
     * @param testRunNumber its consecutive number within the dataset
     */
    public record NewExperiment(String name, @Nullable String description, Instant startTime, Instant endTime,
            @Nullable Bytes extra, UUID datasetId, int testRunNumber) {
    }
}
