package dev.waybill.export.lake;

import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static dev.waybill.export.lake.LakeWorkspace.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import io.quarkus.test.junit.TestProfile;

/**
 * Apache Spark reads the tables and returns the same as PostgreSQL. Runs only if it is named, after {@code ./mvnw -f spark
 * package}, and requires a JDK 17 or 21, which Spark supports (CONTRIBUTING.md).
 */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class SparkReadsTables {

    private static final Path SPARK = Path.of("../spark").toAbsolutePath().normalize();
    // Spark's own list of packages that it opens.
    private static final List<String> OPENED = List.of("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io",
            "java.net",
            "java.nio", "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs",
            "sun.security.action", "sun.util.calendar");

    private static final String AGGREGATES = """
            count(*), sum(prompt_tokens), sum(completion_tokens), sum(total_tokens), sum(total_cost), \
            sum(length(inputs)), sum(length(coalesce(metadata, ''))), count(DISTINCT trace_id), count(DISTINCT session_id), \
            count(thread_id), count(serialized)\
            """;

    private EngineFixture fixture;
    private LakeWorkspace workspace;

    @BeforeEach
    void open() {
        fixture = EngineFixture.create();
        workspace = fixture.workspace();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void countsAndSumsAreThoseOfPostgres() throws Exception {
        // Given: two sessions, a day that is compacted twice, one without runs afterwards, and one of an earlier release
        UUID other = Traces.session(workspace.tenantId());
        workspace.withRuns(3000);
        Traces.runs(workspace.tenantId(), other, NOON, Duration.ofMillis(7), 2000);
        Traces.runs(workspace.tenantId(), other, NOON.minus(Duration.ofDays(1)), Duration.ofMillis(7), 500);
        Traces.runs(workspace.tenantId(), other, NOON.minus(Duration.ofDays(2)), Duration.ofMillis(7), 100);
        Traces.runs(workspace.tenantId(), other, NOON.minus(Duration.ofDays(3)), Duration.ofMillis(7), 50);
        Traces.execute("""
                UPDATE trace.runs SET tags = ARRAY['a', 'b c'], metadata = '{"user": "ü"}', prompt_tokens = 3,
                    completion_tokens = 4, total_tokens = 7, total_cost = 0.001250000, thread_id = 'thread',
                    serialized = '{"lc": 1}'
                WHERE tenant_id = ? AND session_id = ?
                """, workspace.tenantId(), other);
        fixture.compact(4);
        removeFieldIds(DAY.minusDays(3));
        workspace.publishNow(Duration.ZERO);
        Traces.execute("UPDATE trace.runs SET total_tokens = 11 WHERE tenant_id = ? AND start_time >= ?::timestamptz"
                + " AND start_time < ?::timestamptz", workspace.tenantId(), midnight(DAY.minusDays(1)), midnight(DAY));
        Traces.execute(
                "DELETE FROM trace.runs WHERE tenant_id = ? AND start_time >= ?::timestamptz AND start_time < ?::timestamptz",
                workspace.tenantId(), midnight(DAY.minusDays(2)), midnight(DAY.minusDays(1)));
        fixture.compact(4);
        workspace.publishNow(Duration.ZERO);

        // When
        String table = "waybill." + fixture.engine().table().name().replaceFirst("^waybill\\.", "");
        List<String> rows = spark(
                "SELECT " + AGGREGATES + ", sum(coalesce(array_size(tags), 0)) FROM " + table,
                "SELECT cast(start_time AS date), session_id, " + AGGREGATES + " FROM " + table
                        + " GROUP BY 1, 2 ORDER BY 1, 2",
                "SELECT " + AGGREGATES + " FROM " + table + " WHERE start_time < '" + midnight(DAY) + "' AND session_id = '"
                        + other
                        + "'",
                "SELECT count(*) FROM " + table + " WHERE start_time < '" + midnight(DAY.minusDays(1)) + "' AND start_time >= '"
                        + midnight(DAY.minusDays(2)) + "'",
                "SELECT count(*) > 1 FROM " + table + ".snapshots");

        // Then
        List<String> expected = new ArrayList<>();
        expected.addAll(postgres(AGGREGATES + ", coalesce(sum(cardinality(tags)), 0)", "true", ""));
        expected.addAll(postgres("(start_time AT TIME ZONE 'UTC')::date, session_id, " + AGGREGATES, "true",
                " GROUP BY 1, 2 ORDER BY 1, session_id::text"));
        expected.addAll(postgres(AGGREGATES, "start_time < '" + midnight(DAY) + "' AND session_id = '" + other + "'", ""));
        expected.add("0");
        expected.add("true");
        assertThat(rows).isEqualTo(expected);
        assertThat(rows.getFirst()).startsWith("5550|");
    }

    private static String midnight(LocalDate day) {
        return day.atStartOfDay() + ":00Z";
    }

    // DuckDB writes none, as earlier releases did.
    private void removeFieldIds(LocalDate day) throws Exception {
        String key = (String) Traces.query("SELECT key FROM lake.files WHERE tenant_id = ? AND day = ?", workspace.tenantId(),
                day);
        Bucket bucket = fixture.bucket();
        Path folder = bucket.folder();
        Path original = Files.write(folder.resolve("original"), bucket.get(key));
        Path copy = folder.resolve("copy");
        try (Connection connection = Duck.connect(); Statement statement = connection.createStatement()) {
            statement.execute("COPY (FROM read_parquet('" + original + "')) TO '" + copy + "' (FORMAT parquet)");
        }
        String copyKey = key.replace(".parquet", "-copy.parquet");
        bucket.put(copyKey, Files.readAllBytes(copy));
        Traces.execute("UPDATE lake.files SET key = ?, bytes = ? WHERE tenant_id = ? AND key = ?", copyKey, Files.size(copy),
                workspace.tenantId(), key);
    }

    private List<String> postgres(String values, String condition, String end) {
        return Traces.all("""
                SELECT (SELECT string_agg(coalesce(value, 'null'), '|' ORDER BY position)
                    FROM json_each_text(row_to_json(t)) WITH ORDINALITY AS columns (name, value, position))
                FROM (SELECT %s FROM trace.runs WHERE tenant_id = ? AND %s%s) AS t
                """.formatted(values, condition, end),
                workspace.tenantId()).stream()
                .map(String.class::cast)
                .toList();
    }

    private List<String> spark(String... queries) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(java().resolve("bin/java").toString());
        command.add("-Xmx768m");
        OPENED.forEach(name -> command.addAll(List.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED")));
        command.addAll(List.of("-cp", SPARK.resolve("target/lib") + "/*", SPARK.resolve("SparkQueries.java").toString()));
        command.addAll(List.of(queries));
        return fixture.execute("spark", command).stream()
                .filter(line -> line.startsWith("row "))
                .map(line -> line.substring("row ".length()))
                .toList();
    }

    private static Path java() {
        return Optional.ofNullable(System.getenv("SPARK_JAVA_HOME")).map(Path::of)
                .or(() -> Stream.of("17", "21").flatMap(SparkReadsTables::jdks).findFirst())
                .orElseThrow(() -> new IllegalStateException("set SPARK_JAVA_HOME to a JDK 17 or 21"));
    }

    private static Stream<Path> jdks(String version) {
        try (Stream<Path> found = Files.list(Path.of("/usr/lib/jvm"))) {
            return found.filter(path -> path.getFileName().toString().contains(version))
                    .filter(path -> Files.isExecutable(path.resolve("bin/javac")))
                    .toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
