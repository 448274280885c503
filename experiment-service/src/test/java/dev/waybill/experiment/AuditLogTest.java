package dev.waybill.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.AuditLogChecks;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.StoredAuditEvents;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;

@QuarkusTest
class AuditLogTest {

    /** Reads by POST, and data that arrives in large numbers. */
    private static final Set<String> LOG_ONLY = Set.of("POST /api/v1/datasets/{dataset_id}/comparison",
            "POST /api/v1/datasets/{dataset_id}/gate", "POST /api/v1/datasets/{dataset_id}/runs", "POST /api/v1/feedback",
            "PATCH /api/v1/feedback/{feedback_id}", "POST /api/v1/otel/v1/traces", "POST /api/v1/runs",
            "POST /api/v1/runs/batch", "POST /api/v1/runs/multipart", "POST /api/v1/runs/query", "POST /api/v1/runs/stats",
            "PATCH /api/v1/runs/{run_id}", "POST /api/v2/datasets/{dataset_id}/experiment-runs", "POST /api/v2/runs/query",
            "POST /api/v2/threads/query");

    @Test
    void everyModifyingRequestIsLogged() {
        // Given
        Account account = Accounts.account().create();
        OpenApi api = OpenApi.of("experiment-service");
        Map<String, String> who = Map.of("actor", "api_key", "actor_id", account.apiKeyId().toString(),
                "tenant_id", account.workspaceId().toString(), "organization_id", account.organizationId().toString());

        // When / Then
        assertThat(AuditLogChecks.ofStoredEvents(URI.create("http://localhost:" + RestAssured.port), api, account.key(), who,
                LOG_ONLY).assertEveryChangeIsAudited()).isGreaterThanOrEqualTo(26);
    }

    @Test
    void refusedReadIsNotStored() {
        // Given: no X-Tenant-Id
        Account owner = Accounts.account().organizationWide().create();
        String read = "audit-" + UUID.randomUUID();
        String write = "audit-" + UUID.randomUUID();

        // When
        post(owner, read, "/api/v1/runs/query").statusCode(403);
        post(owner, write, "/api/v1/sessions").statusCode(403);

        // Then
        assertThat(StoredAuditEvents.of(read)).isEmpty();
        assertThat(StoredAuditEvents.servicesOf(write)).containsExactly("experiment-service");
    }

    private static ValidatableResponse post(Account caller, String requestId, String path) {
        return RestAssured.given().header("X-Api-Key", caller.key()).header("X-Request-Id", requestId)
                .contentType(ContentType.JSON).body("{}").post(path).then();
    }

    @Test
    void requestWithoutPathPrefixIsLoggedOnce() {
        // Given
        Account account = Accounts.account().create();
        String id = "audit-" + UUID.randomUUID();
        try (AuditLogCapture trail = AuditLogCapture.listen()) {
            // When: the second request follows on the same connection, so the first has ended
            for (String requestId : List.of(id, "audit-" + UUID.randomUUID())) {
                RestAssured.given().header("X-Api-Key", account.key()).header("X-Request-Id", requestId)
                        .contentType(ContentType.JSON).body("{}").post("/runs");
            }

            // Then
            assertThat(trail.of(id)).singleElement().satisfies(line -> assertThat(line)
                    .containsEntry("route", "/api/v1/runs")
                    .containsEntry("actor_id", account.apiKeyId().toString()));
        }
    }
}
