package dev.waybill.controlplane.account;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.ApiClient.operator;
import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class OrganizationResourceTest {

    private static final String ORGANIZATIONS = "/v1/organizations";

    @Test
    void operatorCreatesOrganizationWithFirstKey() {
        // When
        HttpResult created = operator().post(ORGANIZATIONS, "{\"name\": \"Acme\", \"plan\": \"plus\"}");

        // Then
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("plan")).isEqualTo("plus");
        HttpResult whoami = withKey(created.text("key")).get("/v1/whoami");
        assertThat(whoami.text("organization_id")).isEqualTo(created.text("id"));
        assertThat(whoami.text("role")).isEqualTo("admin");
        assertThat(whoami.text("plan")).isEqualTo("plus");
        assertThat(whoami.value("tenant_id")).isNull();
    }

    @Test
    void firstKeyCreatesWorkspacesAndKeys() {
        // Given
        String key = operator().post(ORGANIZATIONS, "{\"name\": \"Acme\"}").text("key");

        // When
        UUID workspace = withKey(key).newWorkspace("Production");

        // Then
        assertThat(withKey(key).in(workspace).get("/v1/whoami").text("tenant_id")).isEqualTo(workspace.toString());
        assertThat(withKey(key).get("/v1/whoami").text("plan")).isEqualTo("free");
    }

    @Test
    void changedPlanIsEffectiveAfterCacheTtl() {
        // Given
        Account free = Accounts.account().plan("free").create();
        as(free).get("/v1/whoami");

        // When
        HttpResult updated = operator().patch(ORGANIZATIONS + "/" + free.organizationId(), "{\"plan\": \"enterprise\"}");

        // Then
        assertThat(updated.status()).isEqualTo(200);
        assertThat(updated.text("plan")).isEqualTo("enterprise");
        assertThat(updated.body()).doesNotContain("\"key\"");
        await().until(() -> as(free).get("/v1/whoami").text("plan").equals("enterprise"));
    }

    @Test
    void unknownPlanIsRejected() {
        // When
        HttpResult response = operator().post(ORGANIZATIONS, "{\"name\": \"Acme\", \"plan\": \"gold\"}");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.detail()).contains("plan must be one of free, plus, enterprise");
    }

    @Test
    void unknownOrganizationReturns404() {
        // When
        HttpResult response = operator().patch(ORGANIZATIONS + "/" + UUID.randomUUID(), "{\"plan\": \"plus\"}");

        // Then
        assertThat(response.status()).isEqualTo(404);
    }

    @Test
    void adminsCannotManageOrganizations() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult create = as(admin).post(ORGANIZATIONS, "{\"name\": \"Acme\"}");
        HttpResult update = as(admin).patch(ORGANIZATIONS + "/" + admin.organizationId(), "{\"plan\": \"enterprise\"}");

        // Then
        assertThat(create.status()).isEqualTo(403);
        assertThat(update.status()).isEqualTo(403);
    }

    @Test
    void operatorCannotActAsAdmin() {
        // When
        HttpResult whoami = operator().get("/v1/whoami");
        HttpResult list = operator().get("/v1/workspaces");

        // Then
        assertThat(whoami.status()).isEqualTo(403);
        assertThat(whoami.detail()).contains("operator key");
        assertThat(list.status()).isEqualTo(403);
    }
}
