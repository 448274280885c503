package dev.waybill.experiment.session;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.trace.CreateSessionRequest;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.api.trace.UpdateSessionRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.common.problem.ProblemException;
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
    private final ExperimentNumberAllocator numbers;
    private final WorkspaceLock workspaceLock;
    private final Ids ids;
    private final Clock clock;
    private final IdempotentCreation idempotentCreation;

    SessionService(Database database, SessionRepository sessions, ExperimentNumberAllocator numbers,
            WorkspaceLock workspaceLock, Ids ids,
            Clock clock, IdempotentCreation idempotentCreation) {
        this.database = database;
        this.sessions = sessions;
        this.numbers = numbers;
        this.workspaceLock = workspaceLock;
        this.ids = ids;
        this.clock = clock;
        this.idempotentCreation = idempotentCreation;
    }

    /**
     * Creates a session; responds with 409 if its name is taken, unless {@code upsert} updates the existing session. A
     * session with a dataset is an experiment and gets a number there; responds with 404 if the dataset does not exist.
     */
    Uni<SessionResponse> create(UUID tenantId, CreateSessionRequest request, boolean upsert) {
        // Waits for concurrent removals, so that the insert sees their commit.
        return database.inWorkspace(tenantId, connection -> workspaceLock.acquireShared(connection, tenantId)
                .chain(() -> numbers.lockDataset(connection, tenantId, request.referenceDatasetId()))
                .chain(() -> sessions.insert(connection, insertValues(tenantId, request)))
                .chain(inserted -> inserted.map(session -> numbers.assignNumber(connection, tenantId, session))
                        .orElseGet(() -> handleConflict(connection, tenantId, request, upsert)))
                .call(session -> idempotentCreation.recordCreated(session.id(), connection)));
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
                .onFailure(SessionService::isNameTaken).transform(failure -> nameConflict(String.valueOf(request.name())));
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

    /** Returns the ids of the sessions with these names; creates missing sessions. */
    public Uni<Map<String, UUID>> findOrCreate(SqlConnection connection, UUID tenantId, Set<String> names) {
        if (names.isEmpty()) {
            return Uni.createFrom().item(Map.of());
        }
        return sessions.findIdsByName(connection, tenantId, names)
                .chain(known -> known.size() == names.size()
                        ? Uni.createFrom().item(known)
                        : createMissing(connection, tenantId, names, known.keySet()));
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

    /** Requires that all sessions exist in the workspace; responds with 404 otherwise. */
    public Uni<Void> require(SqlConnection connection, UUID tenantId, Set<UUID> requested) {
        if (requested.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return sessions.findExisting(connection, tenantId, requested)
                .invoke(existing -> firstMissing(requested, existing).ifPresent(id -> {
                    throw ProblemException.notFound("session", id);
                }))
                .replaceWithVoid();
    }

    private Uni<Map<String, UUID>> createMissing(SqlConnection connection, UUID tenantId, Set<String> names,
            Set<String> known) {
        Set<String> missing = new TreeSet<>(names);
        missing.removeAll(known);
        UUID[] newIds = missing.stream().map(name -> ids.newId()).toArray(UUID[]::new);
        return sessions
                .insertByName(connection, Tuple.of(tenantId, newIds, missing.toArray(String[]::new), now()))
                .chain(() -> sessions.findIdsByName(connection, tenantId, names));
    }

    private static Optional<UUID> firstMissing(Set<UUID> requested, List<UUID> existing) {
        return requested.stream().filter(id -> !existing.contains(id)).findFirst();
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
}
