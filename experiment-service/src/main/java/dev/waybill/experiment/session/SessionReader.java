package dev.waybill.experiment.session;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Slice;
import dev.waybill.experiment.statistics.StatisticsService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Reads sessions, optionally with their statistics. */
@Singleton
class SessionReader {

    private final Database database;
    private final SessionRepository sessions;
    private final StatisticsService statistics;

    SessionReader(Database database, SessionRepository sessions, StatisticsService statistics) {
        this.database = database;
        this.sessions = sessions;
        this.statistics = statistics;
    }

    /** Returns a session; responds with 404 if it does not exist. */
    Uni<SessionResponse> get(UUID tenantId, UUID id, boolean includeStats) {
        return database.inWorkspace(tenantId, connection -> sessions.require(connection, tenantId, id)
                .map(List::of)
                .chain(found -> withStatistics(connection, tenantId, found, includeStats))
                .map(List::getFirst));
    }

    Uni<Slice<SessionResponse>> list(UUID tenantId, SessionQuery query, boolean includeStats) {
        return database.inWorkspace(tenantId, connection -> sessions.list(connection, tenantId, query)
                .chain(found -> sessions.count(connection, tenantId, query)
                        .chain(total -> withStatistics(connection, tenantId, found, includeStats)
                                .map(withStatistics -> new Slice<>(withStatistics, total)))));
    }

    private Uni<List<SessionResponse>> withStatistics(SqlConnection connection, UUID tenantId, List<SessionResponse> found,
            boolean includeStats) {
        return includeStats ? statistics.addStatistics(connection, tenantId, found) : Uni.createFrom().item(found);
    }
}
