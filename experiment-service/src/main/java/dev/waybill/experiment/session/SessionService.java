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

/** What can be done with sessions (contract.md "Trace intake"). */
@Singleton
public class SessionService {

    private static final String UNIQUE_VIOLATION = "23505";

    private final Database database;
    private final SessionRepository sessions;
    private final ExperimentNumberAllocator places;
    private final WorkspaceLock workspaceLock;
    private final Ids ids;
    private final Clock clock;
    private final IdempotentCreation mark;

    SessionService(Database database, SessionRepository sessions, ExperimentNumberAllocator places, WorkspaceLock workspaceLock, Ids ids,
            Clock clock, IdempotentCreation mark) {
        this.database = database;
        this.sessions = sessions;
        this.places = places;
        this.workspaceLock = workspaceLock;
        this.ids = ids;
        this.clock = clock;
        this.mark = mark;
    }

    /**
     * A new session; 409 when its name is taken, unless {@code upsert}: then the one there takes what the request says. One
     * with
     * a dataset is an experiment and gets its number there; 404 when the dataset is not there.
     */
    Uni<SessionResponse> create(UUID tenantId, CreateSessionRequest request, boolean upsert) {
        // Through the gate: a removal that is committed meanwhile must be seen.
        return database.inWorkspace(tenantId, connection -> workspaceLock.acquireShared(connection, tenantId)
                .chain(() -> places.lock(connection, tenantId, request.referenceDatasetId()))
                .chain(() -> sessions.insert(connection, newRow(tenantId, request)))
                .chain(made -> made.map(session -> places.number(connection, tenantId, session))
                        .orElseGet(() -> taken(connection, tenantId, request, upsert)))
                .call(session -> mark.recordCreated(session.id(), connection)));
    }

    private Uni<SessionResponse> taken(SqlConnection connection, UUID tenantId, CreateSessionRequest request, boolean upsert) {
        return sessions.findNamed(connection, tenantId, request.name())
                .map(found -> found.orElseThrow(() -> ProblemException
                        .conflict("A session has this id already or had it and is still being deleted, or an experiment of the"
                                + " dataset has this name.")))
                .chain(found -> upsert
                        ? update(connection, found.id(), changed(tenantId, found.id(), request))
                        : Uni.createFrom().failure(nameTaken(request.name())));
    }

    Uni<SessionResponse> update(UUID tenantId, UUID id, UpdateSessionRequest request) {
        return database.inWorkspace(tenantId, connection -> update(connection, id, changed(tenantId, id, request)))
                .onFailure(SessionService::isTakenName).transform(failure -> nameTaken(String.valueOf(request.name())));
    }

    private Uni<SessionResponse> update(SqlConnection connection, UUID id, Tuple values) {
        return sessions.update(connection, values)
                .map(found -> found.orElseThrow(() -> ProblemException.notFound("session", id)));
    }

    private static boolean isTakenName(Throwable failure) {
        return failure instanceof PgException told && UNIQUE_VIOLATION.equals(told.getSqlState());
    }

    private static ProblemException nameTaken(String name) {
        return ProblemException.conflict("A session named \"" + name + "\" already exists in this workspace.");
    }

    /** The ids of the sessions with these names; those that are not there yet are made. */
    public Uni<Map<String, UUID>> named(SqlConnection connection, UUID tenantId, Set<String> names) {
        if (names.isEmpty()) {
            return Uni.createFrom().item(Map.of());
        }
        return sessions.idsOfNames(connection, tenantId, names)
                .chain(known -> known.size() == names.size()
                        ? Uni.createFrom().item(known)
                        : make(connection, tenantId, names, known.keySet()));
    }

    /** An experiment that was run elsewhere; 409 when its name is taken in its dataset. */
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
                .map(made -> made.orElseThrow(() -> ProblemException.conflict("An experiment named \"" + experiment.name()
                        + "\" is already in this dataset; upload under another experiment_name.")));
    }

    /** Fails with 404 unless all of these are sessions of the workspace. */
    public Uni<Void> require(SqlConnection connection, UUID tenantId, Set<UUID> wanted) {
        if (wanted.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return sessions.existing(connection, tenantId, wanted)
                .invoke(there -> firstMissing(wanted, there).ifPresent(id -> {
                    throw ProblemException.notFound("session", id);
                }))
                .replaceWithVoid();
    }

    private Uni<Map<String, UUID>> make(SqlConnection connection, UUID tenantId, Set<String> names, Set<String> known) {
        Set<String> missing = new TreeSet<>(names);
        missing.removeAll(known);
        UUID[] newIds = missing.stream().map(name -> ids.newId()).toArray(UUID[]::new);
        return sessions
                .insertNamed(connection, Tuple.of(tenantId, newIds, missing.toArray(String[]::new), now()))
                .chain(() -> sessions.idsOfNames(connection, tenantId, names));
    }

    private static Optional<UUID> firstMissing(Set<UUID> wanted, List<UUID> there) {
        return wanted.stream().filter(id -> !there.contains(id)).findFirst();
    }

    private Tuple newRow(UUID tenantId, CreateSessionRequest request) {
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

    private Tuple changed(UUID tenantId, UUID id, CreateSessionRequest request) {
        return changed(tenantId, id, new UpdateSessionRequest(null, request.description(), request.startTime(),
                request.endTime(), request.extra(), request.defaultDatasetId(), request.traceTier()));
    }

    private Tuple changed(UUID tenantId, UUID id, UpdateSessionRequest request) {
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
