package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.AuditLogChecks;
import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.OpenApi;
import io.restassured.RestAssured;

@RuntimeTest
class AuditLogTest {

    /** Run starts are traced instead, and searches do not change anything. */
    private static final Set<String> NO_CHANGES = Set.of("/runs", "/runs/stream", "/runs/wait", "/assistants/search",
            "/assistants/count", "/assistants/{assistant_id}/versions", "/threads/search", "/threads/count",
            "/runs/crons/search", "/runs/crons/count", "/store/items/search", "/store/namespaces",
            "/threads/{thread_id}/runs", "/threads/{thread_id}/runs/stream", "/threads/{thread_id}/runs/wait",
            "/threads/{thread_id}/commands", "/threads/{thread_id}/stream/events",
            "/threads/{thread_id}/history", "/threads/{thread_id}/state/checkpoint");

    @Test
    void changesAreLoggedExceptRunStartsAndSearches() {
        // Given
        OpenApi api = OpenApi.of("deployment-runtime");

        // When / Then
        assertThat(AuditLogChecks.ofLines(URI.create("http://localhost:" + RestAssured.port), api, RuntimeSettings.KEY,
                Map.of("actor", "caller"), NO_CHANGES).assertEveryChangeIsAudited()).isGreaterThan(NO_CHANGES.size() + 1);
    }

    @Test
    void cancellationIsLoggedWithKeyAndWorkspace() {
        // Given
        Caller caller = new Caller("issued-" + UUID.randomUUID());
        String run = caller.start(Bodies.misbehaving("stay"));
        String requestId = UUID.randomUUID().toString();

        try (AuditLogCapture trail = AuditLogCapture.listen()) {
            // When
            RestAssured.given().header("X-Api-Key", caller.key()).header("X-Request-Id", requestId)
                    .post("/runs/" + run + "/cancel").then().statusCode(202);

            // Then
            assertThat(trail.of(requestId)).singleElement().satisfies(line -> assertThat(line)
                    .containsEntry("route", "/runs/{run_id}/cancel").containsEntry("outcome", "done")
                    .containsEntry("resource_id", run).containsEntry("actor", "api_key")
                    .containsEntry("actor_id", ControlPlaneStub.KEY_ID).containsEntry("tenant_id", ControlPlaneStub.WORKSPACE));
        }
        JsonNode line = JsonLog.linesWith(requestId).getFirst();
        assertThat(line.at("/mdc/tenant_id").textValue()).isEqualTo(ControlPlaneStub.WORKSPACE);
        assertThat(line.at("/mdc/request_id").textValue()).isEqualTo(requestId);
    }
}
