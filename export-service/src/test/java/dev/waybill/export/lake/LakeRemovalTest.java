package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.iceberg.EngineCatalog;
import io.quarkus.test.junit.TestProfile;

/** The statements with which docs/lake.md removes the lake. */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class LakeRemovalTest {

    private static final Path PAGE = Path.of("../docs/lake.md");

    private Bucket bucket;
    private LakeWorkspace workspace;

    @BeforeAll
    static void deleteOthers() {
        LakeWorkspace.deleteOthers();
    }

    @BeforeEach
    void open() {
        bucket = new Bucket();
        workspace = LakeWorkspace.create().withRuns(10);
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @Test
    void statementsDeleteAllRowsAndTheLakeCanBeEnabledAgain() throws Exception {
        // Given: a day with files, obsolete files, changes and a table
        workspace.assertCompacted(bucket, DAY);
        workspace.publishNow(Duration.ZERO);
        Traces.execute("UPDATE trace.runs SET name = 'patched' WHERE tenant_id = ?", workspace.tenantId());
        workspace.assertCompacted(bucket, DAY);

        // Without runs, nothing is planned again.
        Traces.execute("DELETE FROM trace.runs WHERE tenant_id = ?", workspace.tenantId());

        // When, Then: again if a job was running, because this service still has its bucket
        await().untilAsserted(() -> {
            execute(statements());
            assertThat(tablesWithRows()).isEmpty();
        });
        for (String key : bucket.keys(workspace.prefix())) {
            ReactiveDatabase.await(workspace.store().delete(key));
        }
        workspace.withRuns(3).assertCompacted(bucket, DAY);
        workspace.publishNow(Duration.ZERO);
        try (EngineCatalog engine = EngineCatalog.reader(workspace.store(), Bucket.name(), workspace.tenantId())) {
            assertThat(engine.files()).hasSize(1);
        }
    }

    private static String statements() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals("## Remove the lake"))
                .filter(line -> line.startsWith("    "))
                .map(String::strip)
                .takeWhile(line -> !line.startsWith("aws "))
                .collect(Collectors.joining("\n"));
    }

    private static void execute(String statements) throws SQLException {
        assertThat(statements).startsWith("BEGIN;").endsWith("COMMIT;");
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    /** Returns the tables of the lake that contain rows; the progress of planning is not part of the lake. */
    private static List<String> tablesWithRows() {
        return Traces.all("""
                SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
                WHERE (schemaname IN ('lake', 'lake_catalog') OR schemaname = 'trace' AND tablename LIKE 'lake%')
                    AND tablename <> 'planning'
                """).stream()
                .map(String.class::cast)
                .filter(table -> !Traces.all("SELECT 1 FROM " + table + " LIMIT 1").isEmpty())
                .toList();
    }
}
