package dev.waybill.experiment.session;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.FeedbackStatistics;
import dev.waybill.common.trace.FeedbackSummary;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Calculates the statistics of the feedback on sessions and their runs. */
@Singleton
class FeedbackStatisticsRepository {

    // Feedback that was received before its run has no session.
    private static final String FEEDBACK = """
            WITH f AS (
                SELECT session_id, run_id IS NULL AS on_session, key, score, value, label
                FROM trace.feedback WHERE tenant_id = $1 AND session_id = ANY($2)
                UNION ALL
                SELECT r.session_id, false, f.key, f.score, f.value, f.label
                FROM trace.feedback f JOIN trace.run_places r ON r.tenant_id = $1 AND r.id = f.run_id
                WHERE f.tenant_id = $1 AND f.session_id IS NULL AND r.session_id = ANY($2))
            """;
    // The sums and squares of larger scores exceed the range of a double, which fails the statement.
    private static final String SCORES = FEEDBACK + """
            SELECT session_id, on_session, key, count(*) FILTER (WHERE score IS NOT NULL OR value IS NOT NULL) AS n,
                avg(score) FILTER (WHERE abs(score) < 1e150) AS avg,
                stddev_pop(score) FILTER (WHERE abs(score) < 1e150) AS stdev, min(score) AS min, max(score) AS max
            FROM f GROUP BY session_id, on_session, key
            """;
    // Labels may be free text, so only the most frequent ones are returned.
    private static final String LABELS = FEEDBACK + """
            SELECT session_id, on_session, key, label, n FROM (
                SELECT session_id, on_session, key, left(label, {longest}) AS label, count(*) AS n,
                    row_number() OVER (PARTITION BY session_id, on_session, key
                        ORDER BY count(*) DESC, left(label, {longest})) AS rank
                FROM f WHERE label IS NOT NULL GROUP BY 1, 2, 3, 4) counted
            WHERE rank <= {most} ORDER BY rank
            """.replace("{longest}", Integer.toString(FeedbackSummary.MAX_LABEL_LENGTH))
            .replace("{most}", Integer.toString(FeedbackSummary.MAX_LABELS));

    /** Returns the statistics by session, without sessions that have no feedback. */
    Uni<Map<UUID, SessionFeedback>> find(SqlConnection connection, UUID tenantId, UUID[] sessionIds) {
        Map<UUID, SessionFeedback> statistics = new HashMap<>();
        return connection.preparedQuery(SCORES)
                .execute(Tuple.of(tenantId, sessionIds))
                .invoke(rows -> rows.forEach(row -> of(statistics, row).put(row.getString("key"), scores(row))))
                .chain(() -> connection.preparedQuery(LABELS).execute(Tuple.of(tenantId, sessionIds)))
                .invoke(rows -> rows.forEach(row -> of(statistics, row).computeIfPresent(row.getString("key"),
                        (key, existing) -> addLabel(existing, row))))
                .replaceWith(statistics);
    }

    private static Map<String, FeedbackStatistics> of(Map<UUID, SessionFeedback> statistics, Row row) {
        return statistics.computeIfAbsent(row.getUUID("session_id"), id -> new SessionFeedback())
                .on(row.getBoolean("on_session"));
    }

    private static FeedbackStatistics scores(Row row) {
        return new FeedbackStatistics(row.getLong("n"), row.getDouble("avg"), row.getDouble("stdev"), row.getDouble("min"),
                row.getDouble("max"), new LinkedHashMap<>());
    }

    private static FeedbackStatistics addLabel(FeedbackStatistics existing, Row row) {
        existing.values().put(row.getString("label"), row.getLong("n"));
        return existing;
    }

    /** Feedback statistics of a session by key: on its runs and on the session itself. */
    record SessionFeedback(Map<String, FeedbackStatistics> ofRuns, Map<String, FeedbackStatistics> ofSession) {

        SessionFeedback() {
            this(new TreeMap<>(), new TreeMap<>());
        }

        Map<String, FeedbackStatistics> on(boolean wholeSession) {
            return wholeSession ? ofSession : ofRuns;
        }
    }
}
