package dev.waybill.common.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;

/**
 * Executes the steps of pg_basebackup on a server with concurrent writes, because the tests' PostgreSQL does not include the
 * program (docs/operations/database.md "Backup and restore").
 */
class BackupTest {

    /** Excluded from the first copy: WAL is copied last, the others belong to the running server. */
    private static final String ROLES = "SELECT string_agg(rolname, ' ' ORDER BY rolname) FROM pg_roles WHERE rolname LIKE 'waybill\\_%'";
    private static final Set<String> EXCLUDED = Set.of("pg_wal", "postmaster.pid", "postmaster.opts", "pg_stat_tmp");

    @TempDir
    Path folder;

    @Test
    void restoreContainsAllTransactionsCommittedDuringBackup() throws Exception {
        // Given
        TestDatabase database = TestDatabase.another();
        List.of("control-plane", "experiment-service", "export-service").forEach(database::migrate);
        Path copy = folder.resolve("data");

        Map<String, String> before;
        String roles;
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            organization(statement, "before the backup");

            // When
            Path data = Path.of(text(statement, "SHOW data_directory"));
            statement.execute("SELECT pg_backup_start('test', true)");
            organization(statement, "after the start");
            copy(data, copy, EXCLUDED);
            organization(statement, "after the copy");
            String label = text(statement, "SELECT labelfile FROM pg_backup_stop(false)");
            Files.writeString(copy.resolve("backup_label"), label);
            copy(data.resolve("pg_wal"), copy.resolve("pg_wal"), Set.of());
            before = contents(statement);
            roles = text(statement, ROLES);
        }

        // Then
        PostgresSettings settings = new PostgresSettings(copy, folder.resolve("restored.log"), FreePort.find(), "test", false,
                false);
        try (PostgresServer restored = PostgresServer.start(settings);
                Connection connection = DriverManager.getConnection(restored.superuserUrl(database.name()));
                Statement statement = connection.createStatement()) {
            assertThat(contents(statement)).isEqualTo(before).hasSizeGreaterThan(20);
            assertThat(text(statement, "SELECT count(*) FROM account.organizations")).isEqualTo("3");
            assertThat(text(statement, ROLES)).isEqualTo(roles).contains("waybill_control");
            assertThat(text(statement, "SELECT count(*) FROM pg_class WHERE relrowsecurity")).isNotEqualTo("0");
        }
    }

    private static void organization(Statement statement, String name) throws SQLException {
        statement
                .execute("INSERT INTO account.organizations (id, name, plan, created_at) VALUES ('" + UUID.randomUUID() + "', '"
                        + name + "', 'plus', now())");
    }

    /** Returns a digest of the rows of each table. */
    private static Map<String, String> contents(Statement statement) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet found = statement.executeQuery("""
                SELECT table_schema || '.' || table_name FROM information_schema.tables
                WHERE table_type = 'BASE TABLE' AND table_schema IN ('account', 'deploy', 'runtime', 'trace', 'export', 'lake',
                    'lake_catalog')
                """)) {
            while (found.next()) {
                tables.add(found.getString(1));
            }
        }
        Map<String, String> contents = new TreeMap<>();
        for (String table : tables) {
            contents.put(table,
                    text(statement, "SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '')"
                            + " FROM " + table + " t"));
        }
        return contents;
    }

    private static String text(Statement statement, String query) throws SQLException {
        try (ResultSet found = statement.executeQuery(query)) {
            found.next();
            return found.getString(1);
        }
    }

    private static void copy(Path from, Path to, Set<String> excluded) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory)));
                Files.setPosixFilePermissions(to.resolve(from.relativize(directory)), Files.getPosixFilePermissions(directory));
                return excluded.contains(directory.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!excluded.contains(file.getFileName().toString())) {
                    try {
                        Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING,
                                StandardCopyOption.COPY_ATTRIBUTES);
                    } catch (NoSuchFileException e) {
                        // Deleted since the directory was listed; WAL contains the change.
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }
}
