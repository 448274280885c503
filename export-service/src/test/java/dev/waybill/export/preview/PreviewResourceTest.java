package dev.waybill.export.preview;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.ConcurrentRequests;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

@ExportServiceTest
class PreviewResourceTest {

    private static final String PATH = "/api/v1/bulk-exports/preview";
    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant TUESDAY = MONDAY.plus(DAY);

    private Exports exports;

    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", ", \"format_version\": \"v2_beta\", \"compression\": \"zstandard\"",
            ", \"export_fields\": [\"id\", \"inputs\"], \"compression\": \"none\"" })
    void previewEqualsTheExport(String more) {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 30);

        // When
        JsonPath preview = preview(MONDAY, TUESDAY, more);

        // Then
        assertThat(preview.getMap("")).containsOnlyKeys("start_time", "end_time", "days", "rows", "rows_are_exact",
                "bytes_estimated", "bytes_estimated_low", "bytes_estimated_high", "truncated_rows", "runs", "truncated_fields",
                "timed_out");
        assertThat(preview.getInt("days")).isEqualTo(1);
        assertThat(preview.getInt("rows")).isEqualTo(30);
        assertThat(preview.getBoolean("rows_are_exact")).isTrue();
        assertThat(preview.getBoolean("timed_out")).isFalse();
        assertThat(preview.getList("runs")).hasSize(20);
        UUID id = exports.complete(MONDAY, TUESDAY, more);
        JsonPath export = exports.client().export(id).jsonPath();
        assertThat(preview.getInt("rows")).isEqualTo(export.getInt("progress.rows_exported"));
        assertThat(preview.getLong("bytes_estimated")).isEqualTo(export.getLong("progress.bytes_exported"))
                .isEqualTo(preview.getLong("bytes_estimated_low")).isEqualTo(preview.getLong("bytes_estimated_high"));
        assertThat(preview.getInt("truncated_rows")).isZero();
    }

    @Test
    void previewStoresNothing() {
        // Given
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);

        // When
        Response response = exports.client().post(PATH, exports.order(MONDAY, TUESDAY, ""), "Idempotency-Key", "once");

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        for (String table : List.of("bulk_exports", "runs", "files", "uploads", "idempotency_keys")) {
            assertThat(Traces.query("SELECT count(*) FROM export." + table + " WHERE tenant_id = ?", exports.tenantId()))
                    .as(table).isEqualTo(0L);
        }
    }

    @Test
    void firstRunsHaveRequestedFieldsInOrderAndType() {
        // Given
        UUID second = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plusSeconds(2));
        UUID first = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plusSeconds(1));
        Traces.execute("UPDATE trace.runs SET tags = ARRAY['a', 'b'], total_tokens = 7, total_cost = 0.5 WHERE id = ?", first);
        String fields = ", \"export_fields\": [\"id\", \"start_time\", \"latency\", \"tags\", \"total_tokens\", \"total_cost\","
                + " \"is_root\", \"inputs\", \"session_name\", \"error\"]";

        // When
        JsonPath typed = preview(MONDAY, TUESDAY, fields + ", \"format_version\": \"v2_beta\"");
        JsonPath plain = preview(MONDAY, TUESDAY, fields);

        // Then
        assertThat(typed.getList("runs.id")).containsExactly(first.toString(), second.toString());
        Map<String, Object> run = typed.getMap("runs[0]");
        assertThat(run.keySet()).containsExactly("id", "start_time", "latency", "tags", "total_tokens", "total_cost", "is_root",
                "inputs", "session_name", "error");
        assertThat(run).containsEntry("start_time", "2026-01-05T00:00:01.000000Z")
                .containsEntry("latency", 1)
                .containsEntry("tags", List.of("a", "b"))
                .containsEntry("total_tokens", 7)
                .containsEntry("total_cost", 0.5f)
                .containsEntry("is_root", true)
                .containsEntry("inputs", "{\"question\": \"what?\"}")
                .containsEntry("session_name", "Project " + exports.sessionId())
                .containsEntry("error", null);
        assertThat(plain.<String, Object> getMap("runs[0]")).containsEntry("latency", "1")
                .containsEntry("tags", "[\"a\",\"b\"]")
                .containsEntry("total_tokens", "7")
                .containsEntry("is_root", "true");
        assertThat(plain.getList("truncated_fields")).isEmpty();
    }

    @Test
    void longTextsAreTruncatedBetweenCharacters() {
        // Given
        UUID id = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        Traces.execute(
                "UPDATE trace.runs SET outputs = '\"' || repeat('ü', 5000) || '\"', error = repeat('e', 1000) WHERE id = ?",
                id);

        // When
        JsonPath preview = preview(MONDAY, TUESDAY, ", \"export_fields\": [\"outputs\", \"error\"]");

        // Then
        assertThat(preview.getString("runs[0].outputs")).isEqualTo("\"" + "ü".repeat(499) + "…");
        assertThat(preview.getString("runs[0].error")).isEqualTo("e".repeat(1_000));
        assertThat(preview.getList("truncated_fields")).containsExactly("outputs");
    }

    @Test
    void filterSelectsRowsAndRuns() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 30);
        UUID wanted = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(3)));

        // When
        JsonPath preview = preview(MONDAY, MONDAY.plus(Duration.ofDays(3)), ", \"filter\": \"exists(input_key, 'question')\"");

        // Then
        assertThat(preview.getInt("rows")).isEqualTo(1);
        assertThat(preview.getBoolean("rows_are_exact")).isTrue();
        assertThat(preview.getInt("days")).isEqualTo(3);
        assertThat(preview.getList("runs.id")).containsExactly(wanted.toString());
    }

    @Test
    void emptyRangeHasNoRows() {
        // When
        JsonPath preview = preview(MONDAY.minus(Duration.ofDays(3_000)), MONDAY, "");

        // Then
        assertThat(preview.getInt("rows")).isZero();
        assertThat(preview.getBoolean("rows_are_exact")).isTrue();
        assertThat(preview.getInt("bytes_estimated")).isZero();
        assertThat(preview.getList("runs")).isEmpty();
    }

    @Test
    void largeCountsAreEstimated() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofSeconds(6), 24_000);

        // When
        JsonPath all = preview(MONDAY, MONDAY.plus(Duration.ofDays(300)), "");
        JsonPath half = preview(MONDAY, MONDAY.plus(Duration.ofDays(300)), ", \"filter\": \"lt(start_time, '"
                + MONDAY.plusSeconds(12_000 * 6) + "')\"");

        // Then
        assertThat(all.getBoolean("rows_are_exact")).isFalse();
        assertThat(all.getDouble("rows")).isCloseTo(24_000, within(2_400.0));
        assertThat(half.getBoolean("rows_are_exact")).isFalse();
        assertThat(half.getDouble("rows")).isCloseTo(12_000, within(1_200.0));
        assertThat(all.getLong("bytes_estimated")).isGreaterThan(half.getLong("bytes_estimated"));
    }

    @Tag("full")
    @Test
    void timeoutReturnsPartialResult() throws Exception {
        // Given
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE trace.runs IN ACCESS EXCLUSIVE MODE");

            // When
            JsonPath preview = preview(MONDAY, TUESDAY, "");

            // Then
            assertThat(preview.getBoolean("timed_out")).isTrue();
            assertThat((Object) preview.get("rows")).isNull();
            assertThat(preview.getBoolean("rows_are_exact")).isFalse();
            assertThat((Object) preview.get("bytes_estimated")).isNull();
            assertThat(preview.getList("runs")).isEmpty();
            connection.rollback();
        }
    }

    @Test
    void concurrentPreviewOfTheWorkspaceReturns429() throws Exception {
        // Given: previews wait for the runs
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                Connection connection = TestDatabase.get().superuser();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE trace.runs IN ACCESS EXCLUSIVE MODE");

            // When
            Response rejected = Patience.await().until(
                    () -> ConcurrentRequests.first(clients, 2,
                            () -> exports.client().post(PATH, exports.order(MONDAY, TUESDAY, ""))),
                    first -> first.statusCode() == 429);
            connection.rollback();

            // Then
            assertThat(rejected.header("Retry-After")).isEqualTo("1");
            assertThat(rejected.jsonPath().getString("detail")).contains("Another preview is in progress");
        }
        preview(MONDAY, TUESDAY, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            ", \"filter\": \"gt(total_tokens, 'many')\", \"export_fields\": [\"secret\"], \"compression\": \"lz4\"",
            ", \"interval_hours\": 0", ", \"export_fields\": \"id\"", ", \"filter\": 7" })
    void invalidPreviewReturnsTheErrorsOfTheExport(String more) {
        // Given
        String body = exports.order(MONDAY, MONDAY, more);

        // When
        Response preview = exports.client().post(PATH, body);

        // Then
        assertThat(preview.statusCode()).isEqualTo(422);
        assertThat(preview.jsonPath().getList("errors")).isEqualTo(exports.post(body).jsonPath().getList("errors"));
    }

    @Test
    void invalidFilterReturnsPositionAndExpectation() {
        // When
        JsonPath response = exports.client().post(PATH, exports.order(MONDAY, TUESDAY, ", \"filter\": \"eq(nme, 'x')\""))
                .jsonPath();

        // Then
        assertThat(response.<Object> getList("errors[0].loc")).containsExactly("filter");
        assertThat(response.getString("errors[0].type")).isEqualTo("filter_syntax");
        assertThat(response.getInt("errors[0].position")).isEqualTo(4);
        assertThat(response.getString("errors[0].expected")).startsWith("a field that eq supports: id, trace_id");
        assertThat(response.getString("detail")).startsWith("filter expects a field that eq supports").contains("found nme");
    }

    @Test
    void scheduledExportPreviewsItsFirstWindow() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(1), 24);

        // When
        JsonPath preview = preview(MONDAY, null, ", \"interval_hours\": 6");

        // Then
        assertThat(preview.getString("start_time")).isEqualTo("2026-01-05T00:00:00.000000Z");
        assertThat(preview.getString("end_time")).isEqualTo("2026-01-05T06:00:00.000000Z");
        assertThat(preview.getInt("rows")).isEqualTo(6);
        assertThat(Traces.query("SELECT count(*) FROM export.bulk_exports WHERE tenant_id = ?", exports.tenantId()))
                .isEqualTo(0L);
    }

    @Test
    void returns404ForForeignDestinationsAndSessions() {
        // Given
        Exports theirs = Exports.create(Accounts.account().inOrganizationOf(exports.client().account()).create());
        Traces.run(theirs.tenantId(), theirs.sessionId(), MONDAY);
        Exports foreignDestination = new Exports(exports.client(), exports.tenantId(), exports.sessionId(),
                theirs.destinationId(), "");
        Exports foreignSession = new Exports(exports.client(), exports.tenantId(), theirs.sessionId(),
                exports.destinationId(), "");

        // When
        Response toTheirBucket = exports.client().post(PATH, foreignDestination.order(MONDAY, TUESDAY, ""));
        Response ofTheirTraces = exports.client().post(PATH, foreignSession.order(MONDAY, TUESDAY, ""));

        // Then
        assertThat(toTheirBucket.statusCode()).isEqualTo(404);
        assertThat((String) toTheirBucket.path("detail")).contains("destination");
        assertThat(ofTheirTraces.statusCode()).isEqualTo(404);
        assertThat((String) ofTheirTraces.path("detail")).contains("session");
    }

    @Test
    void membersMayPreviewIfThePlanIncludesExports() {
        // Given
        Account member = Accounts.account().inWorkspaceOf(exports.client().account()).role("member").create();
        Client free = Client.as(Accounts.account().plan("free").create());

        // When
        Response allowed = Client.as(member).post(PATH, exports.order(MONDAY, TUESDAY, ""));
        Response refused = free.post(PATH, exports.order(MONDAY, TUESDAY, ""));

        // Then
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(refused.statusCode()).isEqualTo(403);
    }

    @Test
    void returns405ForOtherMethodsThanPost() {
        // When
        Response response = exports.client().get(PATH);

        // Then
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.header("Allow")).contains("POST");
    }

    private JsonPath preview(Instant from, @Nullable Instant to, String more) {
        Response response = exports.client().post(PATH, exports.order(from, to, more));
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response.jsonPath();
    }
}
