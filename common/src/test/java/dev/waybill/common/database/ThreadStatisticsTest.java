package dev.waybill.common.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.TestDatabase;

/** Statistics of the tables of threads before autovacuum analyzes them, docs/decisions/0190. */
class ThreadStatisticsTest {

    private static final String BEFORE = "202611292100";
    /** The settings of a runtime (PostgresStorage). */
    private static final String PLANS = """
            SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
            SET enable_mergejoin = off
            """;
    private static final String ROWS = """
            INSERT INTO runtime.threads (tenant_id, deployment_id, thread_id, thread_key, owner, status, metadata, config,
                                         interrupts, created_at, updated_at)
            SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'o', 'idle', '{}', '{}', '{}',
                   now(), now()
              FROM generate_series(1, %s)
            """;

    private final TestDatabase database = TestDatabase.another();

    @ParameterizedTest
    @ValueSource(strings = { "threads", "thread_values", "runs", "checkpoints", "blobs", "writes", "run_events", "items" })
    void migratedTablesAreEmpty(String table) throws SQLException {
        database.migrate("control-plane");

        try (Connection connection = database.superuser()) {
            assertThat(rows(connection, "SELECT count(*) FROM runtime." + table)).containsExactly("0");
        }
    }

    @Test
    void plansOfEmptyTablesUseTheKeysOfRows() throws SQLException {
        database.migrate("control-plane");

        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            statement.execute(PLANS);
            for (String table : List.of("threads", "thread_values", "checkpoints", "blobs", "writes")) {
                assertThat(plan(connection, table)).contains("(thread_key = k.key)");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 399, 400 })
    void tableWithRowsKeepsThem(int count) throws SQLException {
        database.migrate("control-plane", BEFORE);
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            statement.execute(ROWS.formatted(count));

            database.migrate("control-plane", "latest");

            assertThat(rows(connection, "SELECT count(*) FROM runtime.threads")).containsExactly(Integer.toString(count));
            assertThat(rows(connection, "SELECT reltuples >= 400 FROM pg_class WHERE oid = 'runtime.threads'::regclass"))
                    .containsExactly("t");
        }
    }

    private static String plan(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    PREPARE %1$s (uuid, uuid, uuid[]) AS
                    SELECT t.* FROM unnest($3) k (key)
                      JOIN runtime.%1$s t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, k.key)
                    """.formatted(table));
        }
        return String.join("\n", rows(connection, "EXPLAIN EXECUTE " + table + " (NULL, NULL, NULL)"));
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                rows.add(found.getString(1));
            }
            return rows;
        }
    }
}
