package dev.waybill.common.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.TestDatabase;

/** Two releases share one schema during an upgrade, so migrations only add (docs/operations/database.md). */
class MigrationsTest {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));

    /** Earlier migrations had no previous release to support. */
    private static final String LAST_OF_THE_FIRST_RELEASE = "V202611220300";

    /** Marks a migration that removes something the previous release no longer uses. */
    private static final String CONTRACTS = "-- Contracts:";

    private static final Pattern REMOVAL = Pattern.compile("""
            \\bDROP\\s+(TABLE|COLUMN|SCHEMA|FUNCTION|TYPE|VIEW)\\b|\\bRENAME\\b|\\bTRUNCATE\\b|\\bSET\\s+NOT\\s+NULL\\b\
            |\\bALTER\\s+COLUMN\\s+\\w+\\s+(SET\\s+DATA\\s+)?TYPE\\b|\\bREVOKE\\b""", Pattern.CASE_INSENSITIVE);
    private static final Pattern REQUIRED_COLUMN = Pattern.compile(
            "\\bADD\\s+COLUMN\\b(?![^,;]*\\bDEFAULT\\b)[^,;]*\\bNOT\\s+NULL\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Map<String, Service> SERVICES = Map.of(
            "control-plane", new Service("account", Map.of("key_readers", "waybill_experiment,waybill_export")),
            "experiment-service", new Service("trace", Map.of("trace_readers", "waybill_export")),
            "export-service", new Service("export", Map.of()));

    static Stream<Path> scripts() {
        return Stream.of("control-plane", "experiment-service", "export-service").flatMap(MigrationsTest::scripts);
    }

    @Test
    void migrationsOnlyAddUnlessTheyDeclareAContraction() {
        assertThat(scripts().filter(script -> script.getFileName().toString().compareTo(LAST_OF_THE_FIRST_RELEASE) > 0)
                .filter(script -> !script.getFileName().toString().startsWith(LAST_OF_THE_FIRST_RELEASE)))
                .allSatisfy(script -> assertThat(text(script)).as(script.toString())
                        .satisfies(sql -> assertThat(sql.contains(CONTRACTS) || onlyAdds(sql)).isTrue()));
    }

    @ParameterizedTest
    @ValueSource(strings = { "ALTER TABLE t DROP COLUMN a;", "drop table t;", "ALTER TABLE t RENAME COLUMN a TO b;",
            "ALTER TABLE t ALTER COLUMN a SET NOT NULL;", "ALTER TABLE t ALTER COLUMN a TYPE text;",
            "ALTER TABLE t ADD COLUMN a int NOT NULL, ADD COLUMN b int;" })
    void detectsIncompatibleStatements(String sql) {
        assertThat(onlyAdds(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = { "CREATE TABLE t (a int NOT NULL);", "ALTER TABLE t ADD COLUMN a int NOT NULL DEFAULT 0;",
            "ALTER TABLE t ADD COLUMN a int;", "DROP INDEX t_a;", "-- DROP TABLE is not what this does.\nSELECT 1;" })
    void acceptsAdditiveStatements(String sql) {
        assertThat(onlyAdds(sql)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void previousReleaseStartsOnTheNewerSchema(String module, @TempDir Path previous) throws IOException {
        // Given
        TestDatabase database = TestDatabase.another();
        modules().takeWhile(name -> !name.equals(module)).forEach(database::migrate);
        database.migrate(module);
        List<Path> known = scripts(module).sorted().toList();
        for (Path script : known.subList(0, known.size() - 1)) {
            Files.copy(script, previous.resolve(script.getFileName()));
        }
        Service service = SERVICES.get(module);

        // When: with the services' configuration and the scripts of the previous release
        FluentConfiguration configuration = Flyway.configure(Thread.currentThread().getContextClassLoader())
                .dataSource(database.superuserUrl(), null, null)
                .locations("filesystem:" + previous)
                .defaultSchema(service.schema())
                .schemas(service.schema())
                .placeholders(service.placeholders())
                // Flyway's default is more lenient than that of Quarkus.
                .ignoreMigrationPatterns(ignoresFuture(module) ? new String[] { "*:Future" } : new String[0]);

        // Then
        assertThat(configuration.load().migrate().migrationsExecuted).isZero();
    }

    private static boolean ignoresFuture(String module) throws IOException {
        Properties configured = new Properties();
        try (Reader file = Files.newBufferedReader(ROOT.resolve(module + "/src/main/resources/application.properties"))) {
            configured.load(file);
        }
        return Boolean.parseBoolean(configured.getProperty("quarkus.flyway.ignore-future-migrations", "false"));
    }

    static Stream<String> modules() {
        return Stream.of("control-plane", "experiment-service", "export-service");
    }

    private static boolean onlyAdds(String sql) {
        String statements = sql.replaceAll("--[^\n]*", "");
        return !REMOVAL.matcher(statements).find() && !REQUIRED_COLUMN.matcher(statements).find();
    }

    private static Stream<Path> scripts(String module) {
        try (Stream<Path> files = Files.list(ROOT.resolve(module + "/src/main/resources/db/" + module))) {
            return files.filter(file -> file.toString().endsWith(".sql")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Service(String schema, Map<String, String> placeholders) {
    }
}
