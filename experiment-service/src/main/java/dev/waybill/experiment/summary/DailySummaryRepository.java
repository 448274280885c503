package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Rows;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.summary.DailySummary.FoundRun;
import dev.waybill.experiment.summary.RunSummaryRepository.SessionHours;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Finds days to summarize and merges the summaries of their hours. */
@Singleton
class DailySummaryRepository {

    /** Days of a session that one transaction summarizes. */
    private static final int MAX_DAYS = 20;
    /** Days of all sessions that a pass summarizes. */
    static final int MAX_DAYS_FOUND = 4_000;

    // Parts of sessions in the order of the primary key, so that a pass reads no more days than it merges.
    private static final String FIND = """
            SELECT tenant_id, session_id, array_agg(day ORDER BY day) AS hours, false AS discovered FROM (
                SELECT due.*, (row_number() OVER (PARTITION BY tenant_id, session_id ORDER BY day) - 1) / {part} AS part FROM (
                    SELECT tenant_id, session_id, day FROM trace.run_summary_days due
                    WHERE day <= $1::timestamptz - interval '24 hours' AND (tenant_id, session_id) > ($2, $3)
                        AND NOT EXISTS (SELECT FROM trace.run_summary_changes c WHERE c.tenant_id = due.tenant_id
                            AND c.session_id = due.session_id AND c.hour >= due.day AND c.hour < due.day + interval '24 hours')
                        AND NOT EXISTS (SELECT FROM trace.session_removals removed
                            WHERE removed.tenant_id = due.tenant_id AND removed.session_id = due.session_id)
                    ORDER BY tenant_id, session_id, day LIMIT {days}) AS due) AS parts
            GROUP BY tenant_id, session_id, part ORDER BY tenant_id, session_id, part
            """
            .replace("{part}", Integer.toString(MAX_DAYS))
            .replace("{days}", Integer.toString(MAX_DAYS_FOUND));

    // No other replica has merged the day, and all its runs are in summaries of hours: there are no changes, and none after the
    // hour that was found last.
    private static final String COMPLETE = """
            SELECT due.day FROM trace.run_summary_progress p, unnest($3::timestamptz[]) AS due (day)
            WHERE p.tenant_id = $1 AND p.session_id = $2
                AND EXISTS (SELECT FROM trace.run_summary_days d WHERE d.tenant_id = $1 AND d.session_id = $2 AND d.day = due.day)
                AND NOT EXISTS (SELECT FROM trace.run_summary_changes c WHERE c.tenant_id = $1 AND c.session_id = $2
                    AND date_trunc('day', c.hour, 'UTC') = due.day)
                AND (SELECT r.id FROM trace.runs r WHERE r.tenant_id = $1 AND r.session_id = $2
                    AND r.start_time >= greatest(p.until, due.day) AND r.start_time < due.day + interval '24 hours'
                    ORDER BY r.start_time, r.id LIMIT 1) IS NULL
            """;

    private static final String DELETE = """
            DELETE FROM trace.run_daily_summaries WHERE tenant_id = $1 AND session_id = $2 AND day = $3
            """;

    private static final String HOURS = """
            SELECT * FROM trace.run_summaries
            WHERE tenant_id = $1 AND session_id = $2 AND hour >= $3 AND hour < $3::timestamptz + interval '24 hours' ORDER BY hour
            """;

    // LIMIT 1 makes PostgreSQL look up each id.
    private static final String FIND_RUNS = """
            SELECT sought.id, place.start_time, found.end_time
            FROM unnest($3::uuid[]) AS sought (id)
                CROSS JOIN LATERAL (SELECT start_time FROM trace.run_places
                    WHERE tenant_id = $1 AND id = sought.id AND session_id = $2 LIMIT 1) AS place
                CROSS JOIN LATERAL (SELECT end_time FROM trace.runs
                    WHERE tenant_id = $1 AND session_id = $2 AND start_time = place.start_time AND id = sought.id LIMIT 1) AS found
            """;

    private static final String STORE = """
            INSERT INTO trace.run_daily_summaries (tenant_id, session_id, day, runs, errors, streamed, last_start, root_runs,
                root_errors, root_streamed, last_root_start, usage, usage_counts, root_usage, latency, first_token, root_latency,
                root_first_token, ancestors, open_runs, other_open_runs)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text[]::numeric[], $13, $14::text[]::numeric[], $15, $16, $17,
                $18, $19, $20, $21)
            """;

    private static final String DELETE_DUE = """
            DELETE FROM trace.run_summary_days WHERE tenant_id = $1 AND session_id = $2 AND day = $3
            """;

    private final Blocking blocking;

    DailySummaryRepository(Blocking blocking) {
        this.blocking = blocking;
    }

    /**
     * Returns days before {@code until} of sessions after {@code last}, in the order of sessions; a session with many days more
     * than once. There are no others if they are fewer than {@link #MAX_DAYS_FOUND}.
     */
    Uni<List<SessionHours>> find(SqlConnection connection, Instant until, SessionHours last) {
        return RunSummaryRepository.find(connection, FIND, until, last);
    }

    /**
     * Summarizes days of a session whose hours are summarized; returns whether no other replica was summarizing the session.
     * The transaction must see one point in time. It conflicts with transactions that summarize hours of the session.
     */
    Uni<Boolean> summarize(SqlConnection connection, SessionHours days) {
        return RunSummaryRepository.lock(connection, days)
                .chain(locked -> locked ? summarizeComplete(connection, days).replaceWith(true)
                        : Uni.createFrom().item(false));
    }

    private Uni<Void> summarizeComplete(SqlConnection connection, SessionHours days) {
        return connection.preparedQuery(COMPLETE)
                .execute(Tuple.of(days.tenantId(), days.sessionId(), days.hours()))
                .onItem().transformToMulti(rows -> Multi.createFrom().iterable(rows))
                .onItem().transformToUniAndConcatenate(row -> summarize(connection,
                        Tuple.of(days.tenantId(), days.sessionId(), row.getOffsetDateTime("day"))))
                .onItem().ignoreAsUni();
    }

    private Uni<Void> summarize(SqlConnection connection, Tuple day) {
        return connection.preparedQuery(DELETE)
                .execute(day)
                .chain(() -> connection.preparedQuery(HOURS).execute(day))
                .map(rows -> rows.stream().toList())
                .chain(hours -> canBeMerged(hours) ? store(connection, day, hours) : Uni.createFrom().voidItem())
                .chain(() -> connection.preparedQuery(DELETE_DUE).execute(day))
                .replaceWithVoid();
    }

    private static boolean canBeMerged(List<Row> hours) {
        return !hours.isEmpty() && hours.stream().noneMatch(hour -> hour.getBuffer("ancestors") == null);
    }

    private Uni<Void> store(SqlConnection connection, Tuple day, List<Row> hours) {
        Instant start = day.getOffsetDateTime(2).toInstant();
        return blocking.call(() -> new DailySummary(start, hours))
                .chain(summary -> summary.hasTooManyAncestors() ? Uni.createFrom().voidItem()
                        : CountedUsage.find(connection, day.getUUID(0), summary.unknownAncestors(), summary::hourOf)
                                .invoke(summary::add)
                                .chain(() -> findRuns(connection, day, summary.unknownRuns()))
                                .chain(found -> store(connection, day, summary, found)));
    }

    private Uni<Void> store(SqlConnection connection, Tuple day, DailySummary summary, Map<UUID, FoundRun> found) {
        return blocking.call(() -> summary.columns(day.getUUID(0), day.getUUID(1), found))
                .chain(columns -> connection.preparedQuery(STORE).execute(columns))
                .replaceWithVoid();
    }

    private static Uni<Map<UUID, FoundRun>> findRuns(SqlConnection connection, Tuple day, UUID[] ids) {
        Map<UUID, FoundRun> found = new HashMap<>();
        if (ids.length == 0) {
            return Uni.createFrom().item(found);
        }
        return connection.preparedQuery(FIND_RUNS)
                .execute(Tuple.of(day.getUUID(0), day.getUUID(1), ids))
                .invoke(rows -> rows.forEach(row -> found.put(row.getUUID("id"), foundRun(row))))
                .replaceWith(found);
    }

    private static FoundRun foundRun(Row row) {
        return new FoundRun(Rows.requireInstant(row, "start_time"), Rows.instant(row, "end_time"));
    }
}
