package dev.waybill.export;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.MalformedRequests;
import dev.waybill.common.testing.MalformedRequests.Request;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.RawHttp;
import dev.waybill.common.testing.RawHttp.Answer;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;

/** Whatever is wrong with a request, the answer is a problem that says so, and nothing has happened. */
@ExportServiceTest
class MalformedRequestsTest {

    private static final List<String> TABLES = List.of("bulk_exports", "destinations", "runs", "files", "uploads",
            "idempotency_keys");

    @Test
    void noneIsAFaultOfTheServiceAndNoneLeavesARowBehind() {
        // Given
        Exports exports = Exports.create();
        UUID export = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        List<Request> requests = new MalformedRequests(OpenApi.parse(RestAssured.get("/q/openapi?format=json").asString()),
                values(exports, export)).all();
        String destinations = exports.client().get(Client.EXPORTS + "/destinations").asString();
        String before = exports.client().export(export).asString();
        Map<String, Object> rows = rows(exports.tenantId());
        RawHttp http = new RawHttp(URI.create("http://localhost:" + RestAssured.port));

        // When
        Map<Request, Answer> answers = new HashMap<>();
        requests.forEach(request -> answers.put(request, send(http, exports, request)));

        // Then
        assertThat(requests).hasSizeGreaterThanOrEqualTo(200);
        SoftAssertions softly = new SoftAssertions();
        answers.forEach((request, answer) -> {
            softly.assertThat(answer.status()).as("%s: %s", request, answer.body()).isBetween(400, 499);
            softly.assertThat(answer.header("Content-Type")).as(request.name()).startsWith("application/problem+json");
            softly.assertThat(detail(answer)).as(request.name()).isNotBlank();
        });
        softly.assertAll();
        assertThat(rows(exports.tenantId())).isEqualTo(rows);
        assertThat(exports.client().export(export).asString()).isEqualTo(before);
        assertThat(exports.client().get(Client.EXPORTS + "/destinations").asString()).isEqualTo(destinations);
    }

    private static Map<String, String> values(Exports exports, UUID export) {
        return Map.of(
                "id", exports.destinationId().toString(),
                "export_id", export.toString(),
                "run_id", exports.client().runs(export).path("[0].id"),
                "source_bulk_export_id", export.toString(),
                "bulk_export_destination_id", exports.destinationId().toString(),
                "session_id", exports.sessionId().toString(),
                "end_time", "2026-01-04T00:00:00Z",
                // What is not wrong with a destination never gets further than this.
                "endpoint_url", "http://127.0.0.1:1");
    }

    private static Answer send(RawHttp http, Exports exports, Request request) {
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("X-Api-Key", exports.client().account().key());
        return http.send(request.method(), request.path(), headers, request.body());
    }

    private static String detail(Answer answer) {
        try {
            return JsonPath.from(answer.body()).getString("detail");
        } catch (RuntimeException e) {
            return "";
        }
    }

    /** How many rows the workspace has, table by table. */
    private static Map<String, Object> rows(UUID tenantId) {
        Map<String, Object> rows = new TreeMap<>();
        List<Object> tables = Traces.all("SELECT tablename FROM pg_tables WHERE schemaname = 'export'"
                + " AND tablename <> 'flyway_schema_history'");
        assertThat(tables).containsAll(TABLES);
        tables.forEach(table -> rows.put(table.toString(),
                Traces.query("SELECT count(*) FROM export." + table + " WHERE tenant_id = ?", tenantId)));
        return rows;
    }
}
