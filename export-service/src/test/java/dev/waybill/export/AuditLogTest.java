package dev.waybill.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogChecks;
import dev.waybill.common.testing.OpenApi;
import io.restassured.RestAssured;

@ExportServiceTest
class AuditLogTest {

    /** Previews change nothing. */
    private static final Set<String> LOG_ONLY = Set.of("POST /api/v1/bulk-exports/preview");

    @Test
    void everyChangingRequestIsLoggedAndStored() {
        // Given
        Account account = Accounts.account().create();
        OpenApi api = OpenApi.of("export-service");
        Map<String, String> who = Map.of("actor", "api_key", "actor_id", account.apiKeyId().toString(),
                "tenant_id", account.workspaceId().toString(), "organization_id", account.organizationId().toString());

        // When / Then
        assertThat(AuditLogChecks.ofStoredEvents(URI.create("http://localhost:" + RestAssured.port), api, account.key(), who,
                LOG_ONLY).assertEveryChangeIsAudited()).isGreaterThanOrEqualTo(8);
    }
}
