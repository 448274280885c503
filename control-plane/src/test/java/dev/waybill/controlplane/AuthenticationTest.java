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

/** Who gets in, with which key and for which workspace (contract.md "Accounts and keys"). */
@QuarkusTest
class AuthenticationTest {

    private final Account admin = Accounts.account().organizationWide().create();

    @ParameterizedTest
    @CsvSource({ "GET,/v1/whoami", "GET,/v1/workspaces", "POST,/v1/workspaces", "GET,/v1/api-keys", "POST,/v1/api-keys",
            "DELETE,/v1/api-keys/00000000-0000-0000-0000-000000000000", "POST,/v1/organizations",
            "PATCH,/v1/organizations/00000000-0000-0000-0000-000000000000", "HEAD,/v1/workspaces" })
    void nothingIsAnsweredWithoutAKey(String method, String path) {
        // When
        HttpResult answer = anonymous().header("Content-Type", "application/json").send(method, path);

        // Then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
        if (!method.equals("HEAD")) {
            answer.assertIsProblem("unauthenticated", path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "wb_00000000_0000000000000000000000000000000000000000000", "nonsense", "a.b.c", "wb_", "ключ" })
    void anUnknownKeyIsRefused(String key) {
        // When
        HttpResult answer = withKey(key).get("/v1/whoami");

        // Then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).doesNotContain(key);
    }

    @Test
    void keysThatExpiredOrWereRevokedAreRefusedAlike() {
        // Given
        Instant past = Instant.now().minusSeconds(1);
        Account expired = Accounts.account().expiresAt(past).create();
        Account revoked = Accounts.account().revokedAt(past).create();

        // When
        List<HttpResult> answers = List.of(as(expired).get("/v1/whoami"), as(revoked).get("/v1/whoami"));

        // Then
        assertThat(answers).extracting(HttpResult::status).containsOnly(401);
        assertThat(answers).extracting(HttpResult::detail).containsOnly("The API key is unknown, expired or revoked.");
    }

    @Test
    void aPrefixAloneOpensNothing() {
        // When
        HttpResult answer = withKey(admin.key().substring(0, 11) + "_" + "x".repeat(43)).get("/v1/whoami");

        // Then
        assertThat(answer.status()).isEqualTo(401);
    }

    @Test
    void headerNamesComeInAnyCase() {
        // When
        HttpResult answer = anonymous().header("x-aPi-KEY", admin.key()).header("X-TENANT-id", admin.workspaceId())
                .get("/v1/whoami");

        // Then
        assertThat(answer.text("tenant_id")).isEqualTo(admin.workspaceId().toString());
    }

    @Test
    void aMalformedWorkspaceIsInvalid() {
        // When
        HttpResult answer = as(admin).header("X-Tenant-Id", "w1").get("/v1/whoami");

        // Then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.list("errors.loc.flatten()", String.class)).containsExactly("X-Tenant-Id");
    }

    @Test
    void aForeignWorkspaceIsForbiddenLikeOneThatIsNotThere() {
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
