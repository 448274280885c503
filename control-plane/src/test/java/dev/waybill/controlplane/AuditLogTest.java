package dev.waybill.controlplane;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.AuditLogChecks;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

@QuarkusTest
class AuditLogTest {

    @Test
    void everyMutatingRequestIsLoggedAndStored() {
        // Given
        Account account = Accounts.account().create();
        OpenApi api = OpenApi.of("control-plane");
        Map<String, String> who = Map.of("actor", "api_key", "actor_id", account.apiKeyId().toString(),
                "tenant_id", account.workspaceId().toString(), "organization_id", account.organizationId().toString());

        // When / Then
        assertThat(AuditLogChecks.ofStoredEvents(URI.create("http://localhost:" + RestAssured.port), api, account.key(), who,
                Set.of()).assertEveryChangeIsAudited()).isGreaterThanOrEqualTo(14);
    }

    @Test
    void auditEntryNamesCreatedResource() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        String requestId = UUID.randomUUID().toString();

        try (AuditLogCapture trail = AuditLogCapture.listen()) {
            // When
            HttpResult created = as(admin).header("X-Request-Id", requestId).post("/v1/workspaces", "{\"name\": \"a\"}");

            // Then
            assertThat(trail.of(requestId)).singleElement().satisfies(line -> assertThat(line)
                    .containsEntry("resource_id", created.text("id"))
                    .containsEntry("outcome", "done"));
        }
    }

    @Test
    void requestOfDisconnectedClientIsAudited() throws IOException {
        // Given
        String requestId = UUID.randomUUID().toString();
        try (AuditLogCapture trail = AuditLogCapture.listen()) {
            // When
            try (Socket socket = new Socket("localhost", RestAssured.port)) {
                socket.getOutputStream().write(("POST /v1/workspaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
                        + "Content-Type: application/json\r\nX-Request-Id: " + requestId + "\r\nX-Api-Key: "
                        + Accounts.account().organizationWide().create().key() + "\r\n\r\n{\"name\"")
                        .getBytes(StandardCharsets.US_ASCII));
            }

            // Then
            Patience.await().until(() -> !trail.of(requestId).isEmpty());
            assertThat(trail.of(requestId)).singleElement().satisfies(line -> assertThat(line)
                    .containsEntry("outcome", "abandoned").doesNotContainKey("status"));
        }
    }
}
