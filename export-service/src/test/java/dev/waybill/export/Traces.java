package dev.waybill.export;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.testing.TestDatabase;

/** Inserts sessions and runs directly into the database, in place of experiment-service. */
public final class Traces {

    private Traces() {
    }

    /** Inserts a session into the workspace. */
    public static UUID session(UUID tenantId) {
        UUID id = UUID.randomUUID();
        execute("INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)"
                + " VALUES (?, ?, ?, now(), now(), now())", tenantId, id, "Project " + id);
        return id;
    }

    /** Inserts a run with this start time. */
    public static UUID run(UUID tenantId, UUID sessionId, Instant startTime) {
        UUID id = UUID.randomUUID();
        TestDatabase.get().makeRunPartitions(startTime, startTime);
        execute("""
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                    dotted_order, inputs)
                VALUES (?, ?, ?, ?, ?, ?, 'step', 'chain', 'success', ?, '{"question": "what?"}')
                """, tenantId, id, sessionId, startTime.atOffset(ZoneOffset.UTC),
                startTime.plusSeconds(1).atOffset(ZoneOffset.UTC), id, "20260105T000000000000Z" + id);
        return id;
    }

    /** Inserts {@code count} runs, the first at {@code from} and each {@code apart} after the previous one. */
    public static void runs(UUID tenantId, UUID sessionId, Instant from, Duration apart, int count) {
        TestDatabase.get().makeRunPartitions(from, from.plus(apart.multipliedBy(count)));
        execute("""
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                    dotted_order, inputs, outputs)
                SELECT ?, made.id, ?, ?::timestamptz + made.n * make_interval(secs => ?), now(), made.id, 'step', 'chain',
                    'success', 'x' || made.id, '{"n": ' || made.n || ', "text": "' || repeat(md5(made.n::text), 8) || '"}',
                    '{"answer": "' || repeat(md5((made.n + 1)::text), 8) || '"}'
                FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(0, ? - 1) AS n) AS made
                """, tenantId, sessionId, from.atOffset(ZoneOffset.UTC), apart.toNanos() / 1e9, count);
    }

    /** Executes a statement as superuser. */
    public static int execute(String sql, Object... values) {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first column of the first row. */
    public static Object query(String sql, Object... values) {
        return all(sql, values).getFirst();
    }

    /** Returns the first column of all rows. */
    public static List<Object> all(String sql, Object... values) {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            List<Object> found = new ArrayList<>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getObject(1));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
