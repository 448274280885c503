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

/** docs/operations.md "Upgrade and rollback": two releases work on one schema, so what is new only adds to it. */
class MigrationsTest {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));

    /** Before there was anybody whose replicas had to go on meanwhile. */
    private static final String LAST_OF_THE_FIRST_RELEASE = "V202611220300";

    /** What a release takes away that the one before does not use any more; it says which statement and since when. */
    private static final String CONTRACTS = "-- Contracts:";

    private static final Pattern TAKES_AWAY = Pattern.compile("""
            \\bDROP\\s+(TABLE|COLUMN|SCHEMA|FUNCTION|TYPE|VIEW)\\b|\\bRENAME\\b|\\bTRUNCATE\\b|\\bSET\\s+NOT\\s+NULL\\b\
            |\\bALTER\\s+COLUMN\\s+\\w+\\s+(SET\\s+DATA\\s+)?TYPE\\b|\\bREVOKE\\b""", Pattern.CASE_INSENSITIVE);
    private static final Pattern NEEDED_COLUMN = Pattern.compile(
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
    void everyMigrationOnlyAddsUnlessItSaysWhatItContracts() {
        assertThat(scripts().filter(script -> script.getFileName().toString().compareTo(LAST_OF_THE_FIRST_RELEASE) > 0)
                .filter(script -> !script.getFileName().toString().startsWith(LAST_OF_THE_FIRST_RELEASE)))
                .allSatisfy(script -> assertThat(text(script)).as(script.toString())
                        .satisfies(sql -> assertThat(sql.contains(CONTRACTS) || onlyAdds(sql)).isTrue()));
    }

    @ParameterizedTest
    @ValueSource(strings = { "ALTER TABLE t DROP COLUMN a;", "drop table t;", "ALTER TABLE t RENAME COLUMN a TO b;",
            "ALTER TABLE t ALTER COLUMN a SET NOT NULL;", "ALTER TABLE t ALTER COLUMN a TYPE text;",
            "ALTER TABLE t ADD COLUMN a int NOT NULL, ADD COLUMN b int;" })
    void whatTheReleaseBeforeCouldNotWorkWithIsFound(String sql) {
        assertThat(onlyAdds(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = { "CREATE TABLE t (a int NOT NULL);", "ALTER TABLE t ADD COLUMN a int NOT NULL DEFAULT 0;",
            "ALTER TABLE t ADD COLUMN a int;", "DROP INDEX t_a;", "-- DROP TABLE is not what this does.\nSELECT 1;" })
    void whatOnlyAddsPasses(String sql) {
        assertThat(onlyAdds(sql)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void theReleaseBeforeStartsOnTheNewerSchema(String module, @TempDir Path older) throws IOException {
        // Given
        TestDatabase database = TestDatabase.another();
        modules().takeWhile(name -> !name.equals(module)).forEach(database::migrate);
        database.migrate(module);
        List<Path> known = scripts(module).sorted().toList();
        for (Path script : known.subList(0, known.size() - 1)) {
            Files.copy(script, older.resolve(script.getFileName()));
        }
        Service service = SERVICES.get(module);

        // When: as the services configure it, with the scripts of the release before
        FluentConfiguration configuration = Flyway.configure(Thread.currentThread().getContextClassLoader())
                .dataSource(database.superuserUrl(), null, null)
                .locations("filesystem:" + older)
                .defaultSchema(service.schema())
                .schemas(service.schema())
                .placeholders(service.placeholders())
                // Flyway's own default is kinder than what Quarkus makes of it.
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
        return !TAKES_AWAY.matcher(statements).find() && !NEEDED_COLUMN.matcher(statements).find();
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
