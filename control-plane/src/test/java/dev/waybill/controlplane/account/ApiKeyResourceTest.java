package dev.waybill.controlplane.account;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class ApiKeyResourceTest {

    private static final String KEYS = "/v1/api-keys";

    @Test
    void newKeyHasAccessToItsWorkspace() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult created = as(admin).post(KEYS, """
                {"name": "CI", "workspace_id": "%s", "role": "member", "expires_at": "2100-01-01T00:00:00Z"}
                """.formatted(admin.workspaceId()));

        // Then
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("key")).matches("wb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}").startsWith(created.text("prefix"));
        assertThat(created.text("expires_at")).isEqualTo("2100-01-01T00:00:00.000000Z");
        assertThat(created.value("last_used_at")).isNull();
        HttpResult whoami = withKey(created.text("key")).get("/v1/whoami");
        assertThat(whoami.text("tenant_id")).isEqualTo(admin.workspaceId().toString());
        assertThat(whoami.text("api_key_id")).isEqualTo(created.text("id"));
        assertThat(whoami.text("role")).isEqualTo("member");
    }

    @Test
    void keysAreMembersByDefault() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult created = as(admin).post(KEYS, "{\"name\": \"CI\"}");

        // Then
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("role")).isEqualTo("member");
        assertThat(created.value("workspace_id")).isNull();
        assertThat(created.value("expires_at")).isNull();
    }

    @Test
    void allViolationsAreReportedTogether() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult response = as(admin).post(KEYS, """
                {"name": "", "workspace_id": "w1", "role": "owner", "expires_at": "2020-01-01T00:00:00Z"}
                """);

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc.flatten()", String.class))
                .containsExactlyInAnyOrder("name", "workspace_id", "role", "expires_at");
        assertThat(response.detail()).contains("role must be one of member, admin");
    }

    @Test
    void workspaceAdminsCreateKeysOfTheirWorkspace() {
        // Given
        Account bound = Accounts.account().create();

        // When
        HttpResult response = as(bound).post(KEYS,
                "{\"name\": \"own\", \"workspace_id\": \"%s\"}".formatted(bound.workspaceId()));

        // Then
        assertThat(response.status()).isEqualTo(201);
    }

    @Test
    void workspaceAdminsListAndRevokeKeysOfTheirWorkspace() {
        // Given
        Account bound = Accounts.account().create();
        HttpResult made = as(bound).post(KEYS, "{\"name\": \"own\", \"workspace_id\": \"%s\"}".formatted(bound.workspaceId()));
        assertThat(withKey(made.text("key")).get("/v1/whoami").status()).isEqualTo(200);

        // When
        HttpResult listed = as(bound).get(KEYS);
        HttpResult revoked = as(bound).delete(KEYS + "/" + made.id());

        // Then
        assertThat(listed.list("resources.id", UUID.class)).containsExactlyInAnyOrder(made.id(), bound.apiKeyId());
        assertThat(revoked.status()).isEqualTo(204);
        await().until(() -> withKey(made.text("key")).get("/v1/whoami").status() == 401);
    }

    @Test
    void workspaceAdminsCannotAccessOrganizationKeys() {
        // Given
        Account bound = Accounts.account().create();
        Account wide = Accounts.account().inOrganizationOf(bound).organizationWide().create();

        // When
        HttpResult listed = as(bound).get(KEYS);
        HttpResult revoked = as(bound).delete(KEYS + "/" + wide.apiKeyId());

        // Then
        assertThat(listed.list("resources.id", UUID.class)).containsExactly(bound.apiKeyId());
        assertThat(revoked.status()).isEqualTo(404);
        assertThat(as(wide).get("/v1/whoami").status()).isEqualTo(200);
    }

    @Test
    void workspaceAdminsCannotCreateOrganizationKeys() {
        // Given
        Account bound = Accounts.account().create();

        // When
        HttpResult response = as(bound).post(KEYS, "{\"name\": \"wide\"}");

        // Then
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.detail()).contains("needs an admin key of the whole organization");
    }

    @Test
    void workspaceAdminsCannotAccessOtherWorkspaces() {
        // Given
        Account bound = Accounts.account().create();
        Account neighbour = Accounts.account().inOrganizationOf(bound).create();

        // When
        HttpResult create = as(bound).post(KEYS,
                "{\"name\": \"x\", \"workspace_id\": \"%s\"}".formatted(neighbour.workspaceId()));
        HttpResult revoke = as(bound).delete(KEYS + "/" + neighbour.apiKeyId());
        HttpResult list = as(bound).get(KEYS);

        // Then
        assertThat(create.status()).isEqualTo(404);
        assertThat(revoke.status()).isEqualTo(404);
        assertThat(list.list("resources.id", UUID.class)).containsExactly(bound.apiKeyId());
        assertThat(as(neighbour).get("/v1/whoami").status()).isEqualTo(200);
    }

    @Test
    void organizationAdminsListAllKeysNewestFirst() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        UUID second = as(admin).post(KEYS, "{\"name\": \"second\"}").id();
        UUID third = as(admin).post(KEYS, "{\"name\": \"third\"}").id();

        // When
        HttpResult page = as(admin).get(KEYS + "?limit=2");
        HttpResult next = as(admin).get(KEYS + "?limit=2&offset=" + page.value("offset"));

        // Then
        assertThat(page.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(page.list("resources.id", UUID.class)).containsExactly(third, second);
        assertThat(next.list("resources.id", UUID.class)).containsExactly(admin.apiKeyId());
        assertThat(page.body()).doesNotContain("\"key\"", "\"hash\"");
    }

    @Test
    void lastUseIsRecorded() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult list = as(admin).get(KEYS);

        // Then
        assertThat(list.text("resources[0].last_used_at")).endsWith("Z");
    }

    @Test
    void revokedKeyIsRejectedAfterCacheTtl() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        Account member = Accounts.account().inWorkspaceOf(admin).role("member").create();
        assertThat(as(member).get("/v1/whoami").status()).isEqualTo(200);

        // When
        HttpResult revoked = as(admin).delete(KEYS + "/" + member.apiKeyId());

        // Then
        assertThat(revoked.status()).isEqualTo(204);
        await().until(() -> as(member).get("/v1/whoami").status() == 401);
        assertThat(as(admin).get(KEYS).list("resources.id", UUID.class)).doesNotContain(member.apiKeyId());
        assertThat(as(admin).delete(KEYS + "/" + member.apiKeyId()).status()).isEqualTo(404);
    }

    @Test
    void lastAdminKeyCanRevokeItself() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult revoked = as(admin).delete(KEYS + "/" + admin.apiKeyId());

        // Then
        assertThat(revoked.status()).isEqualTo(204);
        await().until(() -> as(admin).get("/v1/whoami").status() == 401);
    }

    @Test
    void malformedIdReturns404() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult response = as(admin).delete(KEYS + "/nonsense");

        // Then
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.detail()).isNotBlank();
    }
}
