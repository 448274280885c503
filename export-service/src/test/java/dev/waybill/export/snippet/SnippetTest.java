package dev.waybill.export.snippet;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.parquet.FormatVersion;
import io.restassured.response.Response;

/** Tests the snippets of real exports, including execution of the DuckDB snippet. */
@ExportServiceTest
class SnippetTest {

    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void everyToolHasASnippetOfTheExport() {
        // Given
        Exports exports = Exports.create();
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), ", \"export_fields\": [\"id\", \"total_cost\"]");

        // When
        Response response = snippets(exports.client(), id);

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat((List<String>) response.path("bulk_export_ids")).containsExactly(id.toString());
        assertThat((List<String>) response.path("snippets.tool")).containsExactly("duckdb", "spark", "athena", "bigquery",
                "snowflake", "clickhouse", "polars");
        assertThat((List<String>) response.path("snippets.language")).containsExactly("sql", "python", "sql", "sql", "sql",
                "sql",
                "javascript");
        assertThat((List<String>) response.path("snippets.text"))
                .allSatisfy(text -> assertThat(text).contains(exports.folder(id) + "runs", "v1, gzip"));
        assertThat((String) response.path("snippets.find { it.tool == 'athena' }.text"))
                .contains("(\n    `id` string,\n    `total_cost` string\n)");
    }

    @ParameterizedTest
    @EnumSource
    void duckDbSnippetReadsTheExport(FormatVersion version) throws SQLException {
        // Given
        Exports exports = withQuotedPrefix();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(6), 7);
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY.multipliedBy(3)),
                ", \"format_version\": \"" + version.wireName() + "\"");

        // When
        List<Map<String, Object>> days = runDuckDb(duckDb(exports.client(), id), exports.prefix());

        // Then
        assertThat(days).containsExactly(day(5, 4L), day(6, 3L));
    }

    @ParameterizedTest
    @EnumSource
    void duckDbViewCountsTokensAndCostsOnce(FormatVersion version) throws SQLException {
        // Given: an agent with its model call, an agent whose child has tokens only, and a single run
        Exports exports = withQuotedPrefix();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 6);
        List<UUID> runs = Traces.all("SELECT id FROM trace.runs WHERE session_id = ? ORDER BY start_time", exports.sessionId())
                .stream().map(UUID.class::cast).toList();
        usage(runs.get(0), null, 30, 15, "0.500000000");
        usage(runs.get(1), runs.get(0), null, null, null);
        usage(runs.get(2), runs.get(1), 30, 15, "0.500000000");
        usage(runs.get(3), null, 7, 3, "0.000000001");
        usage(runs.get(4), runs.get(3), 2, 1, null);
        usage(runs.get(5), null, 1, null, null);
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), ", \"format_version\": \"" + version.wireName() + "\"");

        // When
        String text = duckDb(exports.client(), id);
        String sums = text.substring(0, text.indexOf("SELECT year, month, day")) + """
                SELECT sum(prompt_tokens)::VARCHAR, sum(completion_tokens)::VARCHAR, sum(total_cost)::VARCHAR, count(*)::VARCHAR
                FROM waybill_usage""";

        // Then
        assertThat(runDuckDb(sums, exports.prefix(), SnippetTest::texts))
                .containsExactly(List.of("33", "16", "0.500000001", "6"));
    }

    @Test
    void scheduledExportReadsItsCompletedExportsWithRows() throws SQLException {
        // Given
        Exports exports = withQuotedPrefix();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(12), 4);
        UUID schedule = schedule(exports);
        UUID first = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        UUID second = exports.complete(MONDAY.plus(DAY), MONDAY.plus(DAY.multipliedBy(2)), "");
        UUID empty = exports.complete(MONDAY.plus(DAY.multipliedBy(5)), MONDAY.plus(DAY.multipliedBy(6)), "");
        UUID other = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        assignToSchedule(schedule, first, second, empty);

        // When
        Response response = snippets(exports.client(), schedule);
        List<Map<String, Object>> days = runDuckDb(duckDb(exports.client(), schedule), exports.prefix());

        // Then
        assertThat((List<String>) response.path("bulk_export_ids")).containsExactly(first.toString(), second.toString());
        assertThat(response.asString()).doesNotContain(other.toString());
        assertThat(days).containsExactly(day(5, 2L), day(6, 2L));
    }

    @Test
    void scheduledExportReadsEveryWindow() throws SQLException, IOException {
        // Given
        Exports exports = withQuotedPrefix();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(12), 2);
        UUID schedule = schedule(exports);
        UUID first = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        assignToSchedule(schedule, first);
        insertCopies(first, 149);

        // When
        Response response = snippets(exports.client(), schedule);

        // Then
        List<String> ids = response.path("bulk_export_ids");
        assertThat(ids).hasSize(150).contains(first.toString());
        assertThat((List<String>) response.path("snippets.text")).allSatisfy(text -> assertThat(text).contains(ids)
                .contains("The 150 completed exports", "count each id once"));
        try (Bucket bucket = new Bucket()) {
            Path folder = bucket.download(exports.prefix());
            Path original = folder.resolve(exports.prefix()).resolve("export_id=" + first);
            for (String id : ids.stream().filter(id -> !id.equals(first.toString())).toList()) {
                copy(original, original.resolveSibling("export_id=" + id));
            }
            assertThat(runDuckDb(response.path("snippets.find { it.tool == 'duckdb' }.text"), folder, SnippetTest::dayOf))
                    .containsExactly(day(5, 300L));
        }
    }

    @Test
    void exportWithoutFilesHasNoSnippets() {
        // Given
        Exports exports = Exports.create();
        UUID empty = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        UUID cancelled = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        Traces.execute("UPDATE export.bulk_exports SET status = 'Cancelled' WHERE id = ?", cancelled);

        // When
        List<Response> responses = List.of(snippets(exports.client(), empty), snippets(exports.client(), cancelled));

        // Then
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat((List<String>) response.path("bulk_export_ids")).isEmpty();
            assertThat((List<String>) response.path("snippets")).isEmpty();
        });
    }

    @Test
    void patternCharactersInPrefixAreReadLiterally() throws SQLException {
        // Given
        String prefix = "a*b[c]é/" + UUID.randomUUID();
        Exports exports = Exports.create(Accounts.account().create(), prefix, Bucket.destination(prefix, false));
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(12), 2);
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // When
        List<Map<String, Object>> days = runDuckDb(duckDb(exports.client(), id), prefix);

        // Then
        assertThat(days).containsExactly(day(5, 2L));
    }

    @Test
    void scheduleCancelledBeforeItsFirstExportHasNoSnippets() {
        // Given
        Exports exports = Exports.create();
        UUID schedule = schedule(exports);
        exports.client().cancel(schedule);

        // When
        Response response = snippets(exports.client(), schedule);

        // Then
        assertThat((String) exports.client().export(schedule).path("status")).isEqualTo("Cancelled");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat((List<String>) response.path("bulk_export_ids")).isEmpty();
        assertThat((List<String>) response.path("snippets")).isEmpty();
    }

    @Test
    void snippetsContainNoSecrets() {
        // Given
        Exports exports = Exports.create();
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        String response = snippets(exports.client(), id).asString();

        // Then
        assertThat(response).contains("<ACCESS_KEY_ID>", "<SECRET_ACCESS_KEY>");
        assertThat(Bucket.secrets()).hasSize(2).noneMatch(response::contains);
    }

    @Test
    void foreignExportsReturnTheSame404AsUnknownOnes() {
        // Given
        Account mine = Accounts.account().create();
        Exports foreign = Exports.create(Accounts.account().inOrganizationOf(mine).create());
        UUID id = foreign.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        Response response = snippets(Client.as(mine), id);

        // Then
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat((String) response.path("detail")).isEqualTo(snippets(Client.as(mine), new UUID(1, 1)).<String> path("detail")
                .replace(new UUID(1, 1).toString(), id.toString()));
    }

    /** Returns exports with a prefix that requires quoting. */
    private static Exports withQuotedPrefix() {
        String prefix = "it's,(new)/t=" + UUID.randomUUID();
        return Exports.create(Accounts.account().create(), prefix, Bucket.destination(prefix, false));
    }

    /** Creates a schedule without due windows. */
    private static UUID schedule(Exports exports) {
        return exports.start(Instant.now(), null, ", \"interval_hours\": 24");
    }

    /** Marks exports as created by the schedule. */
    private static void assignToSchedule(UUID schedule, UUID... made) {
        for (UUID id : made) {
            Traces.execute("UPDATE export.bulk_exports SET source_bulk_export_id = ? WHERE id = ?", schedule, id);
        }
    }

    /** Inserts further completed exports of the same schedule. */
    private static void insertCopies(UUID original, int count) {
        Traces.execute(
                """
                        WITH made AS (
                            INSERT INTO export.bulk_exports (tenant_id, id, source_bulk_export_id, start_time, end_time, destination_id,
                                session_id, key_prefix, format, format_version, compression, status, started_at, finished_at)
                            SELECT tenant_id, gen_random_uuid(), source_bulk_export_id, start_time, end_time, destination_id, session_id,
                                key_prefix, format, format_version, compression, status, started_at, finished_at
                            FROM export.bulk_exports, generate_series(1, ?)
                            WHERE id = ?
                            RETURNING tenant_id, id, start_time, end_time)
                        INSERT INTO export.runs (tenant_id, id, export_id, position, start_time, end_time, state, rows_written,
                            started_at, finished_at)
                        SELECT tenant_id, gen_random_uuid(), id, 0, start_time, end_time, 'Completed', 1, now(), now()
                        FROM made
                        """,
                count, original);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static Response snippets(Client client, UUID id) {
        return client.get("/api/v1/bulk-exports/" + id + "/snippets");
    }

    private static String duckDb(Client client, UUID id) {
        return snippets(client, id).path("snippets.find { it.tool == 'duckdb' }.text");
    }

    private static Map<String, Object> day(long day, long runs) {
        return Map.of("year", 2026L, "month", 1L, "day", day, "runs", runs);
    }

    /**
     * Runs the snippet, with two changes: a folder with the objects replaces the bucket's root, and the statements that install
     * and configure DuckDB's S3 extension are removed, because tests do not access DuckDB's server.
     */
    private static List<Map<String, Object>> runDuckDb(String text, String prefix) throws SQLException {
        return runDuckDb(text, prefix, SnippetTest::dayOf);
    }

    private static <T> List<T> runDuckDb(String text, String prefix, RowMapper<T> mapper) throws SQLException {
        try (Bucket bucket = new Bucket()) {
            return runDuckDb(text, bucket.download(prefix), mapper);
        }
    }

    private static Map<String, Object> dayOf(ResultSet rows) throws SQLException {
        return Map.of("year", rows.getLong("year"), "month", rows.getLong("month"), "day", rows.getLong("day"), "runs",
                rows.getLong("runs"));
    }

    private static <T> List<T> runDuckDb(String text, Path folder, RowMapper<T> mapper) throws SQLException {
        String local = text.substring(text.indexOf("CREATE OR REPLACE VIEW")).replace("s3://" + Bucket.name(),
                folder.toString());
        try (Connection connection = Duck.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(local)) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(mapper.of(rows));
            }
            return read;
        }
    }

    private static List<String> texts(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            texts.add(rows.getString(i));
        }
        return texts;
    }

    private static void usage(UUID run, UUID parent, Integer prompt, Integer completion, String cost) {
        Traces.execute("""
                UPDATE trace.runs SET prompt_tokens = ?, completion_tokens = ?, total_tokens = NULL, total_cost = ?::numeric,
                    prompt_cost = NULL, completion_cost = NULL, parent_run_id = ?::uuid, parent_run_ids = array_append(
                        coalesce((SELECT parent_run_ids FROM trace.runs WHERE id = ?::uuid), '{}'), ?::uuid)
                WHERE id = ?""", prompt, completion, cost, parent, parent, parent, run);
        if (parent == null) {
            Traces.execute("UPDATE trace.runs SET parent_run_ids = '{}' WHERE id = ?", run);
        }
    }

    /** Maps one row. */
    @FunctionalInterface
    private interface RowMapper<T> {
        T of(ResultSet row) throws SQLException;
    }
}
