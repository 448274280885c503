package dev.waybill.experiment.lake;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;

/** Copies the rows of the lake to another cluster, as a logical dump does. */
class RestoredDumpTest {

    private static final LocalDate DAY = LocalDate.of(2026, 2, 26);
    private static final List<String> TABLES = List.of("lake.compactions", "lake.files", "trace.lake_days",
            "trace.lake_changes");

    private final UUID tenantId = UUID.randomUUID();

    @TempDir
    Path folder;

    @Test
    void daysOfRestoredDumpAreNotValid() throws Exception {
        // Given
        TestDatabase source = migrated(TestDatabase.another());
        execute(source, """
                INSERT INTO trace.lake_days VALUES ('%1$s', '%2$s');
                INSERT INTO lake.compactions (tenant_id, day, state, snapshot, cluster, pending_since)
                SELECT '%1$s', '%2$s', 'compacted', pg_current_snapshot()::text, system_identifier, NULL
                FROM pg_control_system()""".formatted(tenantId, DAY));
        assertThat(validDays(source)).extracting(LakeDay::day).containsExactly(DAY);
        PostgresSettings settings = new PostgresSettings(folder.resolve("data"), folder.resolve("log"), FreePort.find(), "test",
                false, false);
        try (PostgresServer server = PostgresServer.start(settings)) {
            TestDatabase restored = migrated(TestDatabase.on(server));

            // When
            for (String table : TABLES) {
                copy(source, restored, table);
            }

            // Then
            assertThat(validDays(restored)).isEmpty();
            execute(restored, "UPDATE lake.compactions SET snapshot = pg_current_snapshot()::text");
            assertThat(validDays(restored)).isEmpty();
            execute(restored, "UPDATE lake.compactions SET cluster = (SELECT system_identifier FROM pg_control_system())");
            assertThat(validDays(restored)).extracting(LakeDay::day).containsExactly(DAY);
        }
    }

    private List<LakeDay> validDays(TestDatabase database) {
        try (ReactiveDatabase reader = new ReactiveDatabase(database, "waybill_experiment")) {
            return await(reader.database().inWorkspace(tenantId,
                    connection -> new LakeRepository().validDays(connection, tenantId, DAY, DAY)));
        }
    }

    private static TestDatabase migrated(TestDatabase database) {
        List.of("control-plane", "experiment-service", "export-service").forEach(database::migrate);
        return database;
    }

    private static void copy(TestDatabase source, TestDatabase target, String table) throws Exception {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        try (Connection from = source.superuser(); Connection to = target.superuser()) {
            from.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT", rows);
            to.unwrap(PGConnection.class).getCopyAPI()
                    .copyIn("COPY " + table + " FROM STDIN", new ByteArrayInputStream(rows.toByteArray()));
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
