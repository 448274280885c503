package dev.waybill.controlplane.account;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.controlplane.Client.as;
import static dev.waybill.controlplane.Client.operator;
import static dev.waybill.controlplane.Client.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.Answer;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class OrganizationResourceTest {

    private static final String ORGANIZATIONS = "/v1/organizations";

    @Test
    void theOperatorCreatesAnOrganizationWithItsFirstKey() {
        // When
        Answer created = operator().post(ORGANIZATIONS, "{\"name\": \"Acme\", \"plan\": \"plus\"}");

        // Then
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("plan")).isEqualTo("plus");
        Answer whoami = withKey(created.text("key")).get("/v1/whoami");
        assertThat(whoami.text("organization_id")).isEqualTo(created.text("id"));
        assertThat(whoami.text("role")).isEqualTo("admin");
        assertThat(whoami.text("plan")).isEqualTo("plus");
        assertThat(whoami.value("tenant_id")).isNull();
    }

    @Test
    void theFirstKeyMakesWorkspacesAndKeys() {
        // Given
        String key = operator().post(ORGANIZATIONS, "{\"name\": \"Acme\"}").text("key");

        // When
        UUID workspace = withKey(key).newWorkspace("Production");

        // Then
        assertThat(withKey(key).in(workspace).get("/v1/whoami").text("tenant_id")).isEqualTo(workspace.toString());
        assertThat(withKey(key).get("/v1/whoami").text("plan")).isEqualTo("free");
    }

    @Test
    void aChangedPlanCountsWithinTheCacheTime() {
        // Given
        Account free = Accounts.account().plan("free").create();
        as(free).get("/v1/whoami");

        // When
        Answer updated = operator().patch(ORGANIZATIONS + "/" + free.organizationId(), "{\"plan\": \"enterprise\"}");

        // Then
        assertThat(updated.status()).isEqualTo(200);
        assertThat(updated.text("plan")).isEqualTo("enterprise");
        assertThat(updated.body()).doesNotContain("\"key\"");
        await().until(() -> as(free).get("/v1/whoami").text("plan").equals("enterprise"));
    }

    @Test
    void anUnknownPlanIsRefused() {
        // When
        Answer answer = operator().post(ORGANIZATIONS, "{\"name\": \"Acme\", \"plan\": \"gold\"}");

        // Then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.detail()).contains("plan must be one of free, plus, enterprise");
    }

    @Test
    void anUnknownOrganizationIsNotFound() {
        // When
        Answer answer = operator().patch(ORGANIZATIONS + "/" + UUID.randomUUID(), "{\"plan\": \"plus\"}");

        // Then
        assertThat(answer.status()).isEqualTo(404);
    }

    @Test
    void adminsAreNoOperators() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        Answer create = as(admin).post(ORGANIZATIONS, "{\"name\": \"Acme\"}");
        Answer update = as(admin).patch(ORGANIZATIONS + "/" + admin.organizationId(), "{\"plan\": \"enterprise\"}");

        // Then
        assertThat(create.status()).isEqualTo(403);
        assertThat(update.status()).isEqualTo(403);
    }

    @Test
    void theOperatorIsNoAdmin() {
        // When
        Answer whoami = operator().get("/v1/whoami");
        Answer list = operator().get("/v1/workspaces");

        // Then
        assertThat(whoami.status()).isEqualTo(403);
        assertThat(whoami.detail()).contains("operator key");
        assertThat(list.status()).isEqualTo(403);
    }
}
