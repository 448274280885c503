package dev.waybill.export.lake;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.testing.TestDatabase;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

/** Threat T11 in the lake: the roles of the services see only the rows of the workspace that the transaction has set. */
class LakeIsolationTest {

    private static final TestDatabase WHERE = migrated();
    private static final Database WRITER = new ReactiveDatabase(WHERE, "waybill_export").database();
    private static final Database READER = new ReactiveDatabase(WHERE, "waybill_experiment").database();
    private static final List<String> CHANGES = List.of("trace.lake_days", "trace.lake_changes");
    private static final List<String> RESULTS = List.of("lake.compactions", "lake.files");

    private final UUID mine = UUID.randomUUID();
    private final UUID theirs = UUID.randomUUID();

    @BeforeEach
    void bothHaveARowInEveryTable() throws SQLException {
        for (UUID workspace : List.of(mine, theirs)) {
            execute("INSERT INTO lake.compactions (tenant_id, day, state, snapshot, pending_since)"
                    + " VALUES ('%s', '2026-01-01', 'compacted', '1:1:', NULL)".formatted(workspace));
            execute("INSERT INTO lake.files VALUES ('%s', '2026-01-01', 0, '%1$s', 1, 1, now(), now())".formatted(workspace));
            execute("INSERT INTO lake.obsolete_files (key, tenant_id) VALUES ('%s', '%1$s')".formatted(workspace));
            execute("INSERT INTO trace.lake_days VALUES ('%s', '2026-01-01')".formatted(workspace));
            execute("INSERT INTO trace.lake_changes VALUES ('%s', '2026-01-01', '5')".formatted(workspace));
        }
    }

    @Test
    void rowLevelSecurityIsForcedOnEveryTable() throws SQLException {
        assertThat(query("""
                SELECT string_agg(c.oid::regclass::text, ', ') FROM pg_class AS c
                WHERE c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
                    AND (c.relnamespace = 'lake'::regnamespace AND EXISTS (
                            SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')
                        OR c.oid IN ('trace.lake_days'::regclass, 'trace.lake_changes'::regclass))
                    AND c.oid <> 'lake.planning'::regclass
                """)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = { "lake.compactions", "lake.files", "lake.obsolete_files", "trace.lake_days", "trace.lake_changes" })
    void writerSeesAndChangesItsWorkspaceOnly(String table) throws SQLException {
        assertThat(count(WRITER, mine, table)).isEqualTo(1);
        assertThat(count(WRITER, table)).isZero();
        assertThat(change(WRITER, "UPDATE " + table + " SET tenant_id = tenant_id")).isEqualTo(1);
        assertThat(change(WRITER, "DELETE FROM " + table + " WHERE tenant_id = '" + theirs + "'")).isZero();
        assertThatThrownBy(() -> change(WRITER, "UPDATE " + table + " SET tenant_id = '" + theirs + "'"))
                .isInstanceOf(PgException.class);
        assertThat(query("SELECT count(*) FROM " + table + " WHERE tenant_id = '" + theirs + "'")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = { "lake.compactions", "lake.files", "trace.lake_days", "trace.lake_changes" })
    void readerSeesItsWorkspaceOnly(String table) {
        assertThat(count(READER, mine, table)).isEqualTo(1);
        assertThat(count(READER, table)).isZero();
    }

    @Test
    void readerCannotChangeResults() {
        for (String table : RESULTS) {
            assertThatThrownBy(() -> change(READER, "DELETE FROM " + table)).hasMessageContaining("permission denied");
            assertThatThrownBy(() -> change(READER, "UPDATE " + table + " SET day = day"))
                    .hasMessageContaining("permission denied");
        }
        assertThatThrownBy(() -> count(READER, mine, "lake.obsolete_files")).hasMessageContaining("permission denied");
    }

    @Test
    void changeIsRecordedForItsWorkspaceOnly() throws SQLException {
        // When
        WHERE.makeRunPartitions(LakeWorkspace.NOON, LakeWorkspace.NOON);
        execute("INSERT INTO trace.lake_days VALUES ('%s', '%s'), ('%s', '%2$s')".formatted(mine, LakeWorkspace.DAY, theirs));
        await(READER.inWorkspace(mine, connection -> connection.query("""
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status, dotted_order)
                VALUES ('%s', gen_random_uuid(), gen_random_uuid(), '%s', gen_random_uuid(), 'late', 'chain', 'success', 'x')
                """.formatted(mine, LakeWorkspace.NOON)).execute()));

        // Then
        for (String table : CHANGES) {
            assertThat(query("SELECT count(*) FROM " + table + " WHERE tenant_id = '" + mine + "'")).isEqualTo("2");
        }
        assertThat(query("SELECT count(*) FROM trace.lake_changes WHERE tenant_id = '" + theirs + "'")).isEqualTo("1");
    }

    private static TestDatabase migrated() {
        TestDatabase database = TestDatabase.another();
        List.of("control-plane", "experiment-service", "export-service").forEach(database::migrate);
        return database;
    }

    private static long count(Database database, UUID workspace, String table) {
        return await(database.inWorkspace(workspace, connection -> connection.query("SELECT count(*) FROM " + table).execute()
                .map(rows -> rows.iterator().next().getLong(0))));
    }

    private static long count(Database database, String table) {
        return await(database.outsideWorkspaces(connection -> connection.query("SELECT count(*) FROM " + table).execute()
                .map(rows -> rows.iterator().next().getLong(0))));
    }

    // The failure rolls the change back, so that later statements find the original rows.
    private int change(Database database, String sql) {
        int[] changed = new int[1];
        await(database.inWorkspace(mine, connection -> connection.query(sql).execute()
                .invoke(done -> changed[0] = done.rowCount())
                .chain(() -> Uni.createFrom().<Void> failure(new IllegalStateException("undo"))))
                .onFailure(IllegalStateException.class).recoverWithNull());
        return changed[0];
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = WHERE.superuser(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(String sql) throws SQLException {
        try (Connection connection = WHERE.superuser();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getString(1);
        }
    }
}
