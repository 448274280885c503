package dev.waybill.experiment.statistics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.SessionResponse;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Adds statistics to sessions. */
@Singleton
public class StatisticsService {

    private final RunStatisticsRepository runs;
    private final FeedbackStatisticsRepository feedback;

    StatisticsService(RunStatisticsRepository runs, FeedbackStatisticsRepository feedback) {
        this.runs = runs;
        this.feedback = feedback;
    }

    /** Returns the sessions with their statistics. */
    public Uni<List<SessionResponse>> addStatistics(SqlConnection connection, UUID tenantId, List<SessionResponse> sessions) {
        if (sessions.isEmpty()) {
            return Uni.createFrom().item(sessions);
        }
        UUID[] ids = sessions.stream().map(SessionResponse::id).toArray(UUID[]::new);
        Map<UUID, SessionFeedback> feedbackBySession = new HashMap<>();
        // Run statistics are last, because their query changes settings of the transaction.
        return feedback.find(connection, tenantId, ids)
                .invoke(feedbackBySession::putAll)
                .chain(() -> runs.find(connection, tenantId, ids))
                .map(runsBySession -> sessions.stream()
                        .map(session -> withStatistics(session, runsBySession.getOrDefault(session.id(), RunStatistics.NO_RUNS),
                                feedbackBySession.getOrDefault(session.id(), new SessionFeedback())))
                        .toList());
    }

    private static SessionResponse withStatistics(SessionResponse session, RunStatistics runs, SessionFeedback feedback) {
        return new SessionResponse(session.id(), session.tenantId(), session.name(), session.description(),
                session.startTime(), session.endTime(), session.extra(), session.defaultDatasetId(),
                session.referenceDatasetId(), session.traceTier(), runs.runCount(), runs.latencyP50(), runs.latencyP99(),
                runs.firstTokenP50(), runs.firstTokenP99(), runs.totalTokens(), runs.promptTokens(), runs.completionTokens(),
                runs.totalCost(), runs.promptCost(), runs.completionCost(), runs.lastRunStartTime(), runs.lastRunStartTime(),
                feedback.ofRuns(), feedback.ofSession(), List.of(), runs.errorRate(), runs.streamingRate(),
                session.testRunNumber());
    }
}
