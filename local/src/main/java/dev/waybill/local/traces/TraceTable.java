package dev.waybill.local.traces;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Inserts runs directly into the table that exports read, which is faster than intake; for benchmarks and for tests
 * with many rows.
 */
public final class TraceTable {

    private final String superuserUrl;
    private final UUID tenantId;

    public TraceTable(String superuserUrl, UUID tenantId) {
        this.superuserUrl = superuserUrl;
        this.tenantId = tenantId;
    }

    /**
     * Replaces the contents of the table with generated runs.
     *
     * @return the id of their new session
     */
    public UUID replace(String session, RunGenerator generator, int count) {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            UUID id = createSession(connection, session);
            createPartition(connection, generator.day());
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                // Frozen rows need no hint-bit writes on first read. COPY FREEZE requires a partition that was
                // truncated in the same transaction.
                statement.execute("TRUNCATE trace.runs, trace.run_places");
            }
            new RunCopy(tenantId, id).copy(connection, "trace." + partition(generator.day()), generator, count, "FREEZE");
            connection.commit();
            vacuumAndCheckpoint(connection);
            return id;
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    /** Returns the id of a new session with {@code count} runs in one day, generated from the project's samples. */
    public UUID add(String session, LocalDate day, int count) {
        // Derives the seed from the session, so that run ids are unique across sessions.
        return add(session, new RunGenerator(Corpus.read(null), day, session.hashCode()), count);
    }

    /** Returns the id of a new session with {@code count} additional runs. */
    public UUID add(String session, RunGenerator generator, int count) {
        return add(session, List.of(generator), count);
    }

    /** Returns the id of a new session with {@code count} additional runs of each generator. */
    public UUID add(String session, List<RunGenerator> generators, int count) {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            UUID id = createSession(connection, session);
            for (RunGenerator generator : generators) {
                createPartition(connection, generator.day());
            }
            connection.setAutoCommit(false);
            RunCopy runs = new RunCopy(tenantId, id);
            for (RunGenerator generator : generators) {
                runs.copy(connection, "trace.runs", generator, count, "FORMAT text");
            }
            connection.commit();
            vacuumAndCheckpoint(connection);
            return id;
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    /**
     * Replaces the contents of the table with {@code count} runs of each generator, for millions of runs. The months of the
     * generators are loaded concurrently.
     *
     * @return the id of their new session
     */
    public UUID replaceWithMany(String session, List<RunGenerator> generators, int count) {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            UUID id = createSession(connection, session);
            execute("TRUNCATE trace.runs, trace.run_places");
            new RunLoader(superuserUrl, tenantId, id).load(generators, count);
            vacuumAndCheckpoint(connection);
            return id;
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    /** Returns the id of a new session with small runs, of which one in 100 has one or two values of 1 to 8 MB. */
    public UUID addLargeValues(String session, LocalDate day, int count) {
        return insertSelected(session, day, 1, """
                WITH base AS MATERIALIZED (SELECT string_agg(md5(i::text), '') AS t FROM generate_series(1, 300000) AS i)
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                    dotted_order, inputs, outputs)
                SELECT '%s', gen_random_uuid(), '%s', '%sZ'::timestamptz + i * interval '1 day' / (%d + 1),
                    '%sZ'::timestamptz + i * interval '1 day' / (%d + 1), gen_random_uuid(), 'step ' || i %% 10, 'llm',
                    'success', i::text,
                    '{"text": "' || CASE WHEN i %% 100 = 0 THEN substr(t, 1 + i * 37 %% 1000000, (1 + i / 100 %% 8) * 1000000)
                        ELSE substr(t, i, 200) END || '"}',
                    '{"text": "' || CASE WHEN i %% 200 = 0 THEN substr(t, 1 + i * 59 %% 1000000, (1 + i / 100 %% 8) * 1000000)
                        ELSE substr(t, 2 * i, 100) END || '"}'
                FROM generate_series(1, %d) AS i, base""", id -> new Object[] { tenantId, id, day, count, day, count,
                count });
    }

    /**
     * Copies the runs of a session to {@code days} days: splits the day into equal parts and moves the traces of each
     * part to a separate day.
     *
     * @param session a session whose traces all start on one day
     * @return the id of the new session
     */
    public UUID spread(UUID session, String name, int days) {
        List<String> others = Arrays.stream(RunCopy.COLUMNS.split(",")).map(String::strip)
                .filter(column -> !List.of("tenant_id", "id", "session_id", "start_time", "end_time").contains(column))
                .toList();
        return insertSelected(name, TraceDay.DATE, days,
                """
                        INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, %1$s)
                        SELECT r.tenant_id, gen_random_uuid(), '%2$s', r.start_time + moved, r.end_time + moved, r.%3$s
                        FROM trace.runs AS r
                        JOIN (SELECT trace_id, min(start_time) AS trace_start
                            FROM trace.runs
                            WHERE tenant_id = '%4$s' AND session_id = '%5$s'
                            GROUP BY trace_id) AS trace USING (trace_id),
                            LATERAL (SELECT floor(%6$d * extract(epoch FROM trace_start - date_trunc('day', trace_start, 'UTC')) / 86400)
                                * interval '1 day' AS moved) AS m
                        WHERE r.tenant_id = '%4$s' AND r.session_id = '%5$s'
                        ORDER BY r.start_time + moved""",
                id -> new Object[] { String.join(", ", others), id, String.join(", r.", others), tenantId, session, days });
    }

    /**
     * Replaces the contents of the table with small runs.
     *
     * @param count number of runs of the new session; other sessions have nine times as many, interleaved
     * @return the id of the new session
     */
    public UUID replaceWithSmallRuns(String session, int count) {
        UUID id = UUID.randomUUID();
        execute("TRUNCATE trace.runs, trace.run_places");
        return insertSelected(session, TraceDay.DATE, 1,
                """
                        INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                            dotted_order, prompt_tokens, inputs, outputs)
                        SELECT '%1$s', gen_random_uuid(), CASE WHEN i %% 10 = 0 THEN '%2$s'::uuid ELSE overlay('%3$s' PLACING
                            (i %% 10)::text FROM 1 FOR 1)::uuid END,
                            '%4$sZ'::timestamptz + i * 86400.0 / %5$d * interval '1 s',
                            '%4$sZ'::timestamptz + i * 86400.0 / %5$d * interval '1 s', '%3$s', 'step ' || i %% 10, 'llm', 'success', i::text, i %% 1000, '{"question": "' || i * 7919 || '"}',
                            '{"answer": "' || i * 104729 || '"}'
                        FROM generate_series(1::bigint, %5$d - 1) AS i""",
                sessionId -> new Object[] { tenantId, sessionId, id, TraceDay.DATE,
                        10L * count + 1 });
    }

    /** Deletes a session's runs. */
    public void remove(UUID session) {
        execute("DELETE FROM trace.runs WHERE tenant_id = '" + tenantId + "' AND session_id = '" + session + "'");
        vacuumAndCheckpoint();
    }

    private UUID insertSelected(String session, LocalDate first, int days, String insert, Function<UUID, Object[]> values) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement()) {
            UUID id = createSession(connection, session);
            for (LocalDate day = first; !day.isAfter(first.plusDays(days)); day = day.plusDays(1)) {
                createPartition(connection, day);
            }
            disableAutovacuum(connection);
            statement.execute(insert.formatted(values.apply(id)));
            vacuumAndCheckpoint(connection);
            return id;
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    private void vacuumAndCheckpoint() {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            vacuumAndCheckpoint(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private UUID createSession(Connection connection, String name) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)
                VALUES (?, ?, ?, now(), now(), now())""")) {
            insert.setObject(1, tenantId);
            insert.setObject(2, id);
            insert.setString(3, name);
            insert.execute();
        }
        return id;
    }

    private static void createPartition(Connection connection, LocalDate day) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT trace.make_runs_partition('" + day + "Z')");
        }
    }

    private static String partition(LocalDate day) {
        return "runs_" + day.format(DateTimeFormatter.ofPattern("yyyy_MM"));
    }

    /** Disables autovacuum, which would distort measurements. */
    public void disableAutovacuum() {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            createPartition(connection, TraceDay.DATE);
            disableAutovacuum(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // Each partition has its own setting.
    private static void disableAutovacuum(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    DO $$
                    DECLARE
                        stored regclass;
                    BEGIN
                        FOR stored IN
                            SELECT oid FROM pg_class
                            WHERE relnamespace = 'trace'::regnamespace AND relkind = 'r'
                        LOOP
                            EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', stored);
                        END LOOP;
                    END $$""");
        }
    }

    /** Completes the background work of loading before a measurement. */
    private static void vacuumAndCheckpoint(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        disableAutovacuum(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) trace.runs");
            statement.execute("CHECKPOINT");
        }
    }
}
