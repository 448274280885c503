package dev.waybill.export.trace;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Selects the runs of all sessions of a workspace that started in a half-open range, by session, start time and id. The runs of
 * removed sessions are hidden.
 *
 * @param startTime the first start time, to the microsecond
 * @param endTime the exclusive end of the start times, to the microsecond
 * @param columns the columns to read; a row returns null for every other column
 */
public record SessionsQuery(UUID tenantId, Instant startTime, Instant endTime, Set<RunColumn> columns, ReadLimits limits) {

    // The limit keeps the planner from joining all runs of the range.
    static final String SESSIONS = """
            SELECT s.id
            FROM trace.sessions AS s
            CROSS JOIN LATERAL (
                SELECT FROM trace.runs AS r
                WHERE r.tenant_id = s.tenant_id AND r.session_id = s.id AND r.start_time >= ? AND r.start_time < ?
                LIMIT 1) AS any_run
            WHERE s.tenant_id = ?
            ORDER BY s.id
            """;

    public SessionsQuery {
        columns = Set.copyOf(columns);
    }

    /** Returns the query of one of the sessions. */
    TraceQuery of(UUID sessionId) {
        return new TraceQuery(tenantId, sessionId, startTime, endTime, columns, null, limits);
    }

    Map<String, String> settings() {
        return of(tenantId).settings();
    }
}
