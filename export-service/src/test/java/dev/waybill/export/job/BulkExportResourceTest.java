package dev.waybill.export.job;

import static dev.waybill.export.Exports.MONDAY;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

@ExportServiceTest
class BulkExportResourceTest {

    private static final String PATH = "/api/v1/bulk-exports";
    private static final Duration DAY = Duration.ofDays(1);

    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @Test
    void createReturnsRequestAndDefaults() {
        // When
        Response created = exports.post(exports.order(MONDAY, MONDAY.plus(DAY), ", \"unknown\": 1"));

        // Then
        assertThat(created.statusCode()).isEqualTo(200);
        Map<String, Object> body = created.jsonPath().getMap("");
        assertThat(body).containsOnlyKeys("id", "tenant_id", "bulk_export_destination_id", "session_id",
                "source_bulk_export_id", "status", "start_time", "end_time", "filter", "interval_hours", "export_fields",
                "format",
                "format_version", "compression", "created_at", "updated_at", "finished_at", "paused_at", "pause_reason",
                "late_rows", "failed_windows", "last_failure", "warnings", "progress");
        assertThat(body).containsEntry("status", "Created")
                .containsEntry("tenant_id", exports.tenantId().toString())
                .containsEntry("start_time", "2026-01-05T00:00:00.000000Z")
                .containsEntry("format", "Parquet")
                .containsEntry("format_version", "v1")
                .containsEntry("compression", "gzip")
                .containsEntry("finished_at", null)
                .containsEntry("failed_windows", null)
                .containsEntry("last_failure", null)
                .containsEntry("warnings", List.of())
                .containsEntry("export_fields", null);
        assertThat(UUID.fromString(created.path("id")).version()).isEqualTo(7);
        assertThat((int) created.path("progress.runs_total")).isEqualTo(1);
    }

    @Test
    void allViolationsAreReportedTogether() {
        // When
        Response response = exports.post("""
                {"session_id": 7, "start_time": "yesterday", "end_time": "2026-01-05T00:00:00Z", "interval_hours": "6",
                 "export_fields": "id", "compression": "lz4"}
                """);

        // Then
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.contentType()).startsWith("application/problem+json");
        assertThat(response.jsonPath().<List<Object>> getList("errors.loc")).contains(List.of("bulk_export_destination_id"),
                List.of("session_id"), List.of("start_time"), List.of("interval_hours"), List.of("export_fields"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2026-01-05T00:00:00Z | 2026-01-05T00:00:00Z |                            | end_time
            2026-01-05T00:00:00Z | 2026-01-04T00:00:00Z |                            | end_time
            2026-01-05T00:00:00Z |                      |                            | end_time
            2026-01-05T00:00:00Z | 2026-01-06T00:00:00Z | , "interval_hours": 6      | end_time
            2026-01-05T00:00:00Z |                      | , "interval_hours": 0      | interval_hours
            2026-01-05T00:00:00Z |                      | , "interval_hours": 169    | interval_hours
            2026-01-05T00:00:00Z |                      | , "interval_hours": 1.5    | interval_hours
            2026-01-05T00:00:00Z | 2026-01-06T00:00:00Z | , "format": "CSV"          | format
            2026-01-05T00:00:00Z | 2026-01-06T00:00:00Z | , "format_version": "v3"   | format_version
            2026-01-05T00:00:00Z | 2026-01-06T00:00:00Z | , "compression": "lz4"     | compression
            2026-01-05T00:00:00Z | 2026-01-06T00:00:00Z | , "export_fields": ["secret"] | export_fields
            2026-01-05T00:00:00Z | 2126-01-06T00:00:00Z |                            | end_time
            0001-01-01T00:00:00Z | 9999-12-31T00:00:00Z |                            | end_time
            """)
    void invalidExportIsDescribed(String from, String to, String more, String member) {
        // Given
        String body = "{\"bulk_export_destination_id\": \"" + exports.destinationId() + "\", \"session_id\": \""
                + exports.sessionId() + "\", \"start_time\": \"" + from + "\""
                + (to == null ? "" : ", \"end_time\": \"" + to + "\"") + (more == null ? "" : more) + "}";

        // When
        Response response = exports.post(body);

        // Then
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(422);
        assertThat((String) response.path("errors[0].loc[0]")).isEqualTo(member);
        assertThat((String) response.path("detail")).contains(member);
    }

    @ParameterizedTest
    @ValueSource(strings = { "[]", "[null]", "[7]", "[[\"id\"]]", "[{}]", "\"id\"", "{}", "[\"id\", \"id\"]", "[\"\\u0000\"]",
            "[\"serialized\"]", "[\"id; DROP TABLE trace.runs\"]" })
    void invalidExportFieldsAreRejected(String fields) {
        // When
        Response response = exports.post(exports.order(MONDAY, MONDAY.plus(DAY), ", \"export_fields\": " + fields));

        // Then
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat((String) response.path("errors[0].loc[0]")).isEqualTo("export_fields");
        assertThat(exports.client().get(PATH).jsonPath().getList("")).isEmpty();
    }

    @Test
    void scheduledExportHasNoEndAndSumsProgress() {
        // When
        Response created = exports.post(exports.order(Instant.now().plus(DAY), null, ", \"interval_hours\": 6"));

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat(created.jsonPath().getMap("")).containsEntry("status", "IntervalScheduled")
                .containsEntry("interval_hours", 6)
                .containsEntry("end_time", null)
                .containsEntry("paused_at", null)
                .containsEntry("pause_reason", null)
                .containsEntry("late_rows", 0)
                .containsEntry("failed_windows", 0)
                .containsEntry("last_failure", null)
                .containsEntry("progress",
                        Map.of("runs_total", 0, "runs_completed", 0, "rows_exported", 0, "bytes_exported", 0));
        assertThat(exports.client().get(PATH).jsonPath().getList("id")).containsExactly((String) created.path("id"));
    }

    @Test
    void tooOldScheduleStartReturns422() {
        // When
        Response response = exports.post(exports.order(Instant.parse("1990-01-01T00:00:00Z"), null, ", \"interval_hours\": 1"));

        // Then
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat((String) response.path("errors[0].loc[0]")).isEqualTo("start_time");
        assertThat(exports.client().get(PATH).jsonPath().getList("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "{\"status\": \"Completed\"}", "{\"status\": \"cancelled\"}", "{\"status\": null}", "{}" })
    void onlyStatusCancelledIsAccepted(String body) {
        // Given
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        Response response = exports.client().patch(PATH + "/" + id, body);

        // Then
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat((String) response.path("errors[0].loc[0]")).isEqualTo("status");
    }

    @Test
    void listReturnsAllNewestFirstUnlessPaged() {
        // Given
        UUID first = exports.start(MONDAY, MONDAY.plus(DAY), "");
        UUID second = exports.start(MONDAY, MONDAY.plus(DAY), "");
        UUID third = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        Response whole = exports.client().get(PATH);
        Response page = exports.client().get(PATH + "?limit=1&offset=1");

        // Then
        assertThat(whole.jsonPath().getList("id")).containsExactly(third.toString(), second.toString(), first.toString());
        assertThat(whole.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(page.jsonPath().getList("id")).containsExactly(second.toString());
        assertThat(page.header("X-Pagination-Total")).isEqualTo("3");
    }

    @Test
    void runIsReadByIdWithinItsExport() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(2)), "");
        String runId = exports.client().runs(id).path("[1].id");

        // When
        Response run = exports.client().get(PATH + "/" + id + "/runs/" + runId);

        // Then
        assertThat(run.statusCode()).isEqualTo(200);
        assertThat((String) run.path("start_time")).isEqualTo("2026-01-06T00:00:00.000000Z");
        UUID other = exports.start(MONDAY, MONDAY.plus(DAY), "");
        assertThat(exports.client().get(PATH + "/" + other + "/runs/" + runId).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({ "'', 422", "?source_bulk_export_id=, 422", "?source_bulk_export_id=x, 422" })
    void listingSpawnedRunsRequiresScheduledExportId(String query, int status) {
        // When
        Response response = exports.client().get(PATH + "/runs" + query);

        // Then
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat((String) response.path("errors[0].loc[0]")).isEqualTo("source_bulk_export_id");
    }

    @Test
    void exportWithoutSpawnedExportsHasNoSpawnedRuns() {
        // Given
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        Response response = exports.client().get(PATH + "/runs?source_bulk_export_id=" + id);

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.jsonPath().getList("")).isEmpty();
    }

    @Test
    void membersCanCreateExports() {
        // Given
        Account member = Accounts.account()
                .inWorkspaceOf(exports.client().account()).role("member").create();

        // When
        Response created = Client.as(member).post(PATH, exports.order(MONDAY, MONDAY.plus(DAY), ""));

        // Then
        assertThat(created.statusCode()).isEqualTo(200);
    }

    @Test
    void returns403WhenPlanLacksBulkExport() {
        // Given
        Client free = Client.as(Accounts.account().plan("free").create());

        // When
        Response response = free.get(PATH);

        // Then
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat((String) response.path("detail")).contains("plus or enterprise");
    }

    @Test
    void returns401WithoutKey() {
        // When
        Response response = given().get(PATH);

        // Then
        assertThat(response.statusCode()).isEqualTo(401);
    }

    @Test
    void repeatedIdempotencyKeyCreatesOneExport() {
        // Given
        String body = exports.order(MONDAY, MONDAY.plus(DAY), "");
        UUID key = UUID.randomUUID();
        Response first = postWithKey(body, key);

        // When
        Response again = postWithKey(body, key);

        // Then
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat((String) again.path("id")).isEqualTo(first.path("id"));
        assertThat(exports.client().get(PATH).jsonPath().getList("")).hasSize(1);
    }

    private Response postWithKey(String body, UUID key) {
        return given().header("X-Api-Key", exports.client().account().key()).header("Idempotency-Key", key)
                .contentType(ContentType.JSON).body(body).post(PATH);
    }

    @Test
    void returns404ForAnotherWorkspacesExport() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        String runId = exports.client().runs(id).path("[0].id");
        UUID nowhere = UUID.randomUUID();
        Client neighbour = Client.as(Accounts.account().inOrganizationOf(exports.client().account()).create());
        List<Function<Object, Response>> calls = List.of(
                export -> neighbour.get(PATH + "/" + export),
                export -> neighbour.get(PATH + "/" + export + "/runs"),
                export -> neighbour.get(PATH + "/" + export + "/runs/" + runId),
                export -> neighbour.get(PATH + "/runs?source_bulk_export_id=" + export),
                export -> neighbour.patch(PATH + "/" + export, "{\"status\": \"Cancelled\"}"));

        for (Function<Object, Response> call : calls) {
            // When
            Response foreign = call.apply(id);
            Response missing = call.apply(nowhere);

            // Then
            assertThat(foreign.statusCode()).as(foreign.asString()).isEqualTo(404);
            assertThat(missing.statusCode()).isEqualTo(404);
            assertThat(withoutIds(foreign, id)).isEqualTo(withoutIds(missing, nowhere));
        }
        assertThat(neighbour.get(PATH).jsonPath().getList("")).isEmpty();
    }

    @Test
    void anotherWorkspacesDestinationOrSessionReturns404() {
        // Given
        Exports theirs = Exports.create(Accounts.account().inOrganizationOf(exports.client().account()).create());
        Exports foreignDestination = new Exports(exports.client(), exports.tenantId(), exports.sessionId(),
                theirs.destinationId(), "");
        Exports foreignSession = new Exports(exports.client(), exports.tenantId(), theirs.sessionId(),
                exports.destinationId(), "");

        // When
        Response toTheirBucket = exports.post(foreignDestination.order(MONDAY, MONDAY.plus(DAY), ""));
        Response ofTheirTraces = exports.post(foreignSession.order(MONDAY, MONDAY.plus(DAY), ""));

        // Then
        assertThat(toTheirBucket.statusCode()).isEqualTo(404);
        assertThat(ofTheirTraces.statusCode()).isEqualTo(404);
        assertThat(exports.client().get(PATH).jsonPath().getList("")).isEmpty();
    }

    @Test
    void destinationInUseCannotBeDeleted() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        Traces.execute("UPDATE export.bulk_exports SET status = 'Running', finished_at = NULL,"
                + " next_attempt_at = now() + interval '1 hour' WHERE id = ?", id);
        String path = PATH + "/destinations/" + exports.destinationId();

        // When
        int whileRunning = given().header("X-Api-Key", exports.client().account().key()).delete(path).statusCode();
        exports.client().cancel(id);
        int afterwards = given().header("X-Api-Key", exports.client().account().key()).delete(path).statusCode();

        // Then
        assertThat(whileRunning).isEqualTo(409);
        assertThat(afterwards).isEqualTo(204);
        assertThat(exports.client().export(id).statusCode()).isEqualTo(200);
    }

    private static String withoutIds(Response response, Object id) {
        return response.asString().replace(id.toString(), "<id>")
                .replaceAll("\"request_id\" ?: ?\"[^\"]*\"", "");
    }
}
