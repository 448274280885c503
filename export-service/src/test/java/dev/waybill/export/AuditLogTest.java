package dev.waybill.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogChecks;
import dev.waybill.common.testing.OpenApi;
import io.restassured.RestAssured;

@ExportServiceTest
class AuditLogTest {

    @Test
    void everyChangingRequestIsLogged() {
        // Given
        Account account = Accounts.account().create();
        OpenApi api = OpenApi.of("export-service");
        Map<String, String> who = Map.of("actor", "api_key", "actor_id", account.apiKeyId().toString(),
                "tenant_id", account.workspaceId().toString(), "organization_id", account.organizationId().toString());

        // When / Then
        assertThat(new AuditLogChecks(URI.create("http://localhost:" + RestAssured.port), api, account.key(), who)
                .assertEveryChangeIsAudited()).isGreaterThanOrEqualTo(8);
    }
}
