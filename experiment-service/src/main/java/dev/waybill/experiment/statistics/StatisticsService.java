package dev.waybill.experiment.statistics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.SessionResponse;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Fills sessions with their statistics. */
@Singleton
public class StatisticsService {

    private final RunStatisticsRepository runs;
    private final FeedbackStatisticsRepository feedback;

    StatisticsService(RunStatisticsRepository runs, FeedbackStatisticsRepository feedback) {
        this.runs = runs;
        this.feedback = feedback;
    }

    /** The same sessions with statistics. */
    public Uni<List<SessionResponse>> fill(SqlConnection connection, UUID tenantId, List<SessionResponse> sessions) {
        if (sessions.isEmpty()) {
            return Uni.createFrom().item(sessions);
        }
        UUID[] ids = sessions.stream().map(SessionResponse::id).toArray(UUID[]::new);
        Map<UUID, SessionFeedback> ofFeedback = new HashMap<>();
        // The runs last: their statement changes settings that are good for it alone.
        return feedback.of(connection, tenantId, ids)
                .invoke(ofFeedback::putAll)
                .chain(() -> runs.of(connection, tenantId, ids))
                .map(ofRuns -> sessions.stream()
                        .map(session -> filled(session, ofRuns.getOrDefault(session.id(), RunStatistics.NO_RUNS),
                                ofFeedback.getOrDefault(session.id(), new SessionFeedback())))
                        .toList());
    }

    private static SessionResponse filled(SessionResponse session, RunStatistics runs, SessionFeedback feedback) {
        return new SessionResponse(session.id(), session.tenantId(), session.name(), session.description(),
                session.startTime(), session.endTime(), session.extra(), session.defaultDatasetId(),
                session.referenceDatasetId(), session.traceTier(), runs.runCount(), runs.latencyP50(), runs.latencyP99(),
                runs.firstTokenP50(), runs.firstTokenP99(), runs.totalTokens(), runs.promptTokens(), runs.completionTokens(),
                runs.totalCost(), runs.promptCost(), runs.completionCost(), runs.lastRunStartTime(), runs.lastRunStartTime(),
                feedback.ofRuns(), feedback.ofSession(), List.of(), runs.errorRate(), runs.streamingRate(),
                session.testRunNumber());
    }
}
