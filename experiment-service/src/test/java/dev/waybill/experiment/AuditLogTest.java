package dev.waybill.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.AuditLogChecks;
import dev.waybill.common.testing.OpenApi;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;

@QuarkusTest
class AuditLogTest {

    @Test
    void everyModifyingRequestIsLogged() {
        // Given
        Account account = Accounts.account().create();
        OpenApi api = OpenApi.of("experiment-service");
        Map<String, String> who = Map.of("actor", "api_key", "actor_id", account.apiKeyId().toString(),
                "tenant_id", account.workspaceId().toString(), "organization_id", account.organizationId().toString());

        // When / Then
        assertThat(new AuditLogChecks(URI.create("http://localhost:" + RestAssured.port), api, account.key(), who)
                .assertEveryChangeIsAudited()).isGreaterThanOrEqualTo(26);
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
