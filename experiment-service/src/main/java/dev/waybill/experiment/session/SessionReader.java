package dev.waybill.experiment.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.experiment.session.FeedbackStatisticsRepository.SessionFeedback;
import dev.waybill.experiment.session.RunStatisticsRepository.RunStatistics;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Reads sessions, optionally with their statistics. */
@Singleton
class SessionReader {

    // The statistics of runs change settings of the transaction that do not suit other statements.
    private static final String RESET_OPTIONS = "SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_sort TO DEFAULT";

    private final Database database;
    private final SessionRepository sessions;
    private final RunStatisticsRepository runs;
    private final FeedbackStatisticsRepository feedback;

    SessionReader(Database database, SessionRepository sessions, RunStatisticsRepository runs,
            FeedbackStatisticsRepository feedback) {
        this.database = database;
        this.sessions = sessions;
        this.runs = runs;
        this.feedback = feedback;
    }

    /** Returns a session; responds with 404 if it does not exist. */
    Uni<SessionResponse> get(UUID tenantId, UUID id, boolean includeStats) {
        return database.inWorkspaceSnapshot(tenantId, connection -> sessions.require(connection, tenantId, id)
                .map(List::of)
                .chain(found -> withStatistics(connection, tenantId, found, includeStats))
                .map(List::getFirst));
    }

    Uni<Page<SessionResponse>> list(UUID tenantId, SessionQuery query, boolean includeStats) {
        return query.order().isOfRuns() ? listByStatistics(tenantId, query, includeStats)
                : listByColumn(tenantId, query, includeStats);
    }

    // Statistics come from hourly summaries, so sorting by them does not read all runs.
    private Uni<Page<SessionResponse>> listByStatistics(UUID tenantId, SessionQuery query, boolean includeStats) {
        return database.inWorkspaceSnapshot(tenantId, connection -> sessions.ids(connection, tenantId, query)
                .chain(ids -> runs.find(connection, tenantId, ids.toArray(UUID[]::new))
                        .call(() -> connection.query(RESET_OPTIONS).execute())
                        .chain(statistics -> sessions.find(connection, tenantId, query.page(ids, statistics))
                                .chain(found -> includeStats ? addFeedback(connection, tenantId, found, statistics)
                                        : Uni.createFrom().item(found)))
                        .map(found -> new Page<>(found, (long) ids.size()))));
    }

    private Uni<List<SessionResponse>> addFeedback(SqlConnection connection, UUID tenantId, List<SessionResponse> found,
            Map<UUID, RunStatistics> runsBySession) {
        return feedback.find(connection, tenantId, found.stream().map(SessionResponse::id).toArray(UUID[]::new))
                .map(feedbackBySession -> found.stream()
                        .map(session -> withStatistics(session, runsBySession.getOrDefault(session.id(), RunStatistics.NO_RUNS),
                                feedbackBySession.getOrDefault(session.id(), new SessionFeedback())))
                        .toList());
    }

    private Uni<Page<SessionResponse>> listByColumn(UUID tenantId, SessionQuery query, boolean includeStats) {
        return database.inWorkspaceSnapshot(tenantId, connection -> sessions.list(connection, tenantId, query)
                .chain(found -> sessions.count(connection, tenantId, query)
                        .chain(total -> withStatistics(connection, tenantId, found, includeStats)
                                .map(withStatistics -> new Page<>(withStatistics, total)))));
    }

    private Uni<List<SessionResponse>> withStatistics(SqlConnection connection, UUID tenantId, List<SessionResponse> found,
            boolean includeStats) {
        return includeStats ? addStatistics(connection, tenantId, found) : Uni.createFrom().item(found);
    }

    private Uni<List<SessionResponse>> addStatistics(SqlConnection connection, UUID tenantId, List<SessionResponse> found) {
        if (found.isEmpty()) {
            return Uni.createFrom().item(found);
        }
        UUID[] ids = found.stream().map(SessionResponse::id).toArray(UUID[]::new);
        Map<UUID, SessionFeedback> feedbackBySession = new HashMap<>();
        // Run statistics are last, because their query changes settings of the transaction.
        return feedback.find(connection, tenantId, ids)
                .invoke(feedbackBySession::putAll)
                .chain(() -> runs.find(connection, tenantId, ids))
                .map(runsBySession -> found.stream()
                        .map(session -> withStatistics(session, runsBySession.getOrDefault(session.id(), RunStatistics.NO_RUNS),
                                feedbackBySession.getOrDefault(session.id(), new SessionFeedback())))
                        .toList());
    }

    private static SessionResponse withStatistics(SessionResponse session, RunStatistics runs,
            SessionFeedback feedback) {
        return new SessionResponse(session.id(), session.tenantId(), session.name(), session.description(),
                session.startTime(), session.endTime(), session.extra(), session.defaultDatasetId(),
                session.referenceDatasetId(), session.traceTier(), runs.runCount(), runs.latencyP50(), runs.latencyP99(),
                runs.firstTokenP50(), runs.firstTokenP99(), runs.totalTokens(), runs.promptTokens(), runs.completionTokens(),
                runs.totalCost(), runs.promptCost(), runs.completionCost(), runs.lastRunStartTime(), runs.lastRunStartTime(),
                feedback.ofRuns(), feedback.ofSession(), List.of(), runs.errorRate(), runs.streamingRate(),
                session.testRunNumber());
    }
}
