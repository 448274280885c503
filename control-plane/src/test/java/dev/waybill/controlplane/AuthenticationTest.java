package dev.waybill.controlplane;

import static dev.waybill.controlplane.ApiClient.anonymous;
import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;

/** Authentication by key and workspace (contract.md "Accounts and keys"). */
@QuarkusTest
class AuthenticationTest {

    private final Account admin = Accounts.account().organizationWide().create();

    @ParameterizedTest
    @CsvSource({ "GET,/v1/whoami", "GET,/v1/workspaces", "POST,/v1/workspaces", "GET,/v1/api-keys", "POST,/v1/api-keys",
            "DELETE,/v1/api-keys/00000000-0000-0000-0000-000000000000", "POST,/v1/organizations",
            "PATCH,/v1/organizations/00000000-0000-0000-0000-000000000000", "HEAD,/v1/workspaces" })
    void requestWithoutKeyReturns401(String method, String path) {
        // When
        HttpResult response = anonymous().header("Content-Type", "application/json").send(method, path);

        // Then
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer");
        if (!method.equals("HEAD")) {
            response.assertIsProblem("unauthenticated", path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "wb_00000000_0000000000000000000000000000000000000000000", "nonsense", "a.b.c", "wb_", "ключ" })
    void unknownKeyIsRejected(String key) {
        // When
        HttpResult response = withKey(key).get("/v1/whoami");

        // Then
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.body()).doesNotContain(key);
    }

    @Test
    void expiredAndRevokedKeysAreRejectedAlike() {
        // Given
        Instant past = Instant.now().minusSeconds(1);
        Account expired = Accounts.account().expiresAt(past).create();
        Account revoked = Accounts.account().revokedAt(past).create();

        // When
        List<HttpResult> responses = List.of(as(expired).get("/v1/whoami"), as(revoked).get("/v1/whoami"));

        // Then
        assertThat(responses).extracting(HttpResult::status).containsOnly(401);
        assertThat(responses).extracting(HttpResult::detail).containsOnly("The API key is unknown, expired or revoked.");
    }

    @Test
    void keyPrefixAloneIsRejected() {
        // When
        HttpResult response = withKey(admin.key().substring(0, 11) + "_" + "x".repeat(43)).get("/v1/whoami");

        // Then
        assertThat(response.status()).isEqualTo(401);
    }

    @Test
    void headerNamesAreCaseInsensitive() {
        // When
        HttpResult response = anonymous().header("x-aPi-KEY", admin.key()).header("X-TENANT-id", admin.workspaceId())
                .get("/v1/whoami");

        // Then
        assertThat(response.text("tenant_id")).isEqualTo(admin.workspaceId().toString());
    }

    @Test
    void malformedWorkspaceIdIsInvalid() {
        // When
        HttpResult response = as(admin).header("X-Tenant-Id", "w1").get("/v1/whoami");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc.flatten()", String.class)).containsExactly("X-Tenant-Id");
    }

    @Test
    void foreignAndMissingWorkspacesAreForbiddenAlike() {
        // Given
        Account stranger = Accounts.account().create();

        // When
        HttpResult foreign = as(admin).in(stranger.workspaceId()).get("/v1/whoami");
        HttpResult none = as(admin).in(UUID.randomUUID()).get("/v1/whoami");

        // Then
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(none.status()).isEqualTo(403);
        assertThat(foreign.detail()).isEqualTo(none.detail());
    }
}
