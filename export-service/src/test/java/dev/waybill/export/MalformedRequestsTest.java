package dev.waybill.export;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.InvalidRequestChecks;
import dev.waybill.common.testing.MalformedRequests;
import dev.waybill.common.testing.MalformedRequests.Request;
import dev.waybill.common.testing.OpenApi;
import io.restassured.RestAssured;

/** Sends requests generated from the OpenAPI description, each with one error, with ids of existing resources. */
@ExportServiceTest
class MalformedRequestsTest {

    @Test
    void malformedRequestsReturn4xxAndStoreNothing() {
        // Given
        Exports exports = Exports.create();
        UUID export = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        List<Request> requests = new MalformedRequests(OpenApi.of("export-service"),
                values(exports, export)).all().stream().filter(request -> !ignoresWorkspace(request)).toList();
        String destinations = exports.client().get(Client.EXPORTS + "/destinations").asString();
        String before = exports.client().export(export).asString();

        // When / Then
        assertThat(requests).hasSizeGreaterThanOrEqualTo(200);
        InvalidRequestChecks.assertAllRejected(URI.create("http://localhost:" + RestAssured.port), exports.client().account(),
                requests,
                "export");
        assertThat(exports.client().export(export).asString()).isEqualTo(before);
        assertThat(exports.client().get(Client.EXPORTS + "/destinations").asString()).isEqualTo(destinations);
    }

    /** Public keys are returned whatever workspace a header names. */
    private static boolean ignoresWorkspace(Request request) {
        return request.path().startsWith(Client.EXPORTS + "/receipt-keys/") && request.headers().containsKey("X-Tenant-Id");
    }

    private static Map<String, String> values(Exports exports, UUID export) {
        return Map.of(
                "id", exports.destinationId().toString(),
                "export_id", export.toString(),
                "run_id", exports.client().runs(export).path("[0].id"),
                "tenant_id", exports.tenantId().toString(),
                "source_bulk_export_id", export.toString(),
                "bulk_export_destination_id", exports.destinationId().toString(),
                "session_id", exports.sessionId().toString(),
                "end_time", "2026-01-04T00:00:00Z",
                // A valid destination fails at this endpoint.
                "endpoint_url", "http://127.0.0.1:1");
    }
}
