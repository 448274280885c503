package dev.waybill.export.snippet;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Snippets of real exports: what they say, to whom, and that DuckDB's reads what is there. */
@ExportServiceTest
class SnippetTest {

    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void everyToolHasASnippetMadeForThisExport() {
        // Given
        Exports exports = Exports.create();
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), ", \"export_fields\": [\"id\", \"total_cost\"]");

        // When
        Response answer = snippets(exports.client(), id);

        // Then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat((List<String>) answer.path("bulk_export_ids")).containsExactly(id.toString());
        assertThat((List<String>) answer.path("snippets.tool")).containsExactly("duckdb", "spark", "athena", "bigquery",
                "snowflake", "clickhouse", "polars");
        assertThat((List<String>) answer.path("snippets.language")).containsExactly("sql", "python", "sql", "sql", "sql", "sql",
                "javascript");
        assertThat((List<String>) answer.path("snippets.text"))
                .allSatisfy(text -> assertThat(text).contains(exports.folder(id) + "runs", "v1, gzip"));
        assertThat((String) answer.path("snippets.find { it.tool == 'athena' }.text"))
                .contains("(\n    `id` string,\n    `total_cost` string\n)");
    }

    @ParameterizedTest
    @EnumSource
    void duckDbReadsTheExportByItsSnippet(FormatVersion version) throws SQLException {
        // Given
        Exports exports = awkward();
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
    void duckDbCountsTokensAndCostsOnce(FormatVersion version) throws SQLException {
        // Given: an agent with its model call, an agent whose child has tokens only, and a run by itself
        Exports exports = awkward();
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
    void aScheduledExportsSnippetsReadWhatItMadeAndIsCompletedAndHasRows() throws SQLException {
        // Given
        Exports exports = awkward();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(12), 4);
        UUID schedule = schedule(exports);
        UUID first = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        UUID second = exports.complete(MONDAY.plus(DAY), MONDAY.plus(DAY.multipliedBy(2)), "");
        UUID empty = exports.complete(MONDAY.plus(DAY.multipliedBy(5)), MONDAY.plus(DAY.multipliedBy(6)), "");
        UUID other = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        madeBySchedule(schedule, first, second, empty);

        // When
        Response answer = snippets(exports.client(), schedule);
        List<Map<String, Object>> days = runDuckDb(duckDb(exports.client(), schedule), exports.prefix());

        // Then
        assertThat((List<String>) answer.path("bulk_export_ids")).containsExactly(first.toString(), second.toString());
        assertThat(answer.asString()).doesNotContain(other.toString());
        assertThat(days).containsExactly(day(5, 2L), day(6, 2L));
    }

    @Test
    void aScheduleThatWasCancelledBeforeItMadeAnythingIsStillOne() {
        // Given
        Exports exports = Exports.create();
        UUID schedule = schedule(exports);
        exports.client().cancel(schedule);

        // When
        Response answer = snippets(exports.client(), schedule);

        // Then
        assertThat((String) exports.client().export(schedule).path("status")).isEqualTo("Cancelled");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat((List<String>) answer.path("bulk_export_ids")).isEmpty();
        assertThat((List<String>) answer.path("snippets")).isEmpty();
    }

    @Test
    void noSecretIsInASnippet() {
        // Given
        Exports exports = Exports.create();
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        String answer = snippets(exports.client(), id).asString();

        // Then
        assertThat(answer).contains("<ACCESS_KEY_ID>", "<SECRET_ACCESS_KEY>");
        assertThat(Bucket.secrets()).hasSize(2).noneMatch(answer::contains);
    }

    @Test
    void foreignExportsLookLikeThoseThatNobodyHas() {
        // Given
        Account mine = Accounts.account().create();
        Exports foreign = Exports.create(Accounts.account().inOrganizationOf(mine).create());
        UUID id = foreign.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        Response answer = snippets(Client.as(mine), id);

        // Then
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat((String) answer.path("detail")).isEqualTo(snippets(Client.as(mine), new UUID(1, 1)).<String> path("detail")
                .replace(new UUID(1, 1).toString(), id.toString()));
    }

    /** To a prefix that has to be quoted. */
    private static Exports awkward() {
        String prefix = "it's,(new)/t=" + UUID.randomUUID();
        return Exports.create(Accounts.account().create(), prefix, Bucket.destination(prefix, false));
    }

    /** One that has nothing to do for a long time. */
    private static UUID schedule(Exports exports) {
        return exports.start(Instant.now(), null, ", \"interval_hours\": 24");
    }

    /** What the schedule's clock does, without waiting for it. */
    private static void madeBySchedule(UUID schedule, UUID... made) {
        for (UUID id : made) {
            Traces.execute("UPDATE export.bulk_exports SET source_bulk_export_id = ? WHERE id = ?", schedule, id);
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
     * Runs the text as it is, but for the bucket's root, for which a folder with its objects stands, and for the statements
     * that fetch
     * DuckDB's S3 client and give it the keys: that extension is fetched from DuckDB's own server, which tests do not ask for
     * anything.
     */
    private static List<Map<String, Object>> runDuckDb(String text, String prefix) throws SQLException {
        return runDuckDb(text, prefix, rows -> Map.of("year", rows.getLong("year"), "month", rows.getLong("month"), "day",
                rows.getLong("day"), "runs", rows.getLong("runs")));
    }

    private static <T> List<T> runDuckDb(String text, String prefix, RowReading<T> reading) throws SQLException {
        Path folder;
        try (Bucket bucket = new Bucket()) {
            folder = bucket.download(prefix);
        }
        String local = text.substring(text.indexOf("CREATE OR REPLACE VIEW")).replace("s3://" + Bucket.name(),
                folder.toString());
        try (Connection connection = Duck.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(local)) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(reading.of(rows));
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

    /** Reads one row. */
    @FunctionalInterface
    private interface RowReading<T> {
        T of(ResultSet row) throws SQLException;
    }
}
