package dev.waybill.controlplane.account;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class ApiKeyUpdateTest {

    private static final String KEYS = "/v1/api-keys";
    private static final String MEMBER = "{\"role\": \"member\"}";
    private static final String ADMIN = "{\"role\": \"admin\"}";

    private final Account admin = Accounts.account().organizationWide().create();

    @Test
    void nameAndRoleAreChangedIndependently() {
        // Given
        Account member = Accounts.account().inWorkspaceOf(admin).role("member").create();

        // When
        HttpResult renamed = update(admin, member.apiKeyId(), "{\"name\": \"CI of the team\"}");
        HttpResult promoted = update(admin, member.apiKeyId(), "{\"name\": null, \"role\": \"admin\"}");

        // Then
        assertThat(renamed.status()).isEqualTo(200);
        assertThat(renamed.text("name")).isEqualTo("CI of the team");
        assertThat(renamed.text("role")).isEqualTo("member");
        assertThat(promoted.text("name")).isEqualTo("CI of the team");
        assertThat(promoted.text("role")).isEqualTo("admin");
        assertThat(promoted.text("workspace_id")).isEqualTo(member.workspaceId().toString());
        assertThat(promoted.body()).doesNotContain("\"key\"", "\"hash\"");
        assertThat(as(admin).get(KEYS).list("resources.role", String.class)).containsExactly("admin", "admin");
    }

    @Test
    void newRoleAppliesAfterCacheTtl() {
        // Given
        Account other = Accounts.account().inWorkspaceOf(admin).create();
        assertThat(as(other).get(KEYS).status()).isEqualTo(200);

        // When
        assertThat(update(admin, other.apiKeyId(), MEMBER).status()).isEqualTo(200);

        // Then
        await().until(() -> as(other).get(KEYS).status() == 403);
        assertThat(as(other).get("/v1/whoami").text("role")).isEqualTo("member");
        assertThat(update(admin, other.apiKeyId(), ADMIN).status()).isEqualTo(200);
        await().until(() -> as(other).get(KEYS).status() == 200);
    }

    @Test
    void lastAdminKeyOfOrganizationCannotBeDemoted() {
        // When
        HttpResult response = update(admin, admin.apiKeyId(), "{\"name\": \"new\", \"role\": \"member\"}");

        // Then
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.detail()).isEqualTo("This is the last admin key of the organization, so no key could make it an"
                + " admin again. Create another admin key first, or revoke this key.");
        assertThat(as(admin).get(KEYS).text("resources[0].name")).isNotEqualTo("new");
    }

    @Test
    void adminsThatCannotRestoreTheRoleDoNotCount() {
        // Given
        Accounts.account().inWorkspaceOf(admin).create();
        Accounts.account().inOrganizationOf(admin).organizationWide().expiresAt(Instant.EPOCH).create();
        Accounts.account().inOrganizationOf(admin).organizationWide().revokedAt(Instant.EPOCH).create();
        Account member = Accounts.account().inOrganizationOf(admin).organizationWide().role("member").create();

        // When / Then
        assertThat(update(admin, admin.apiKeyId(), MEMBER).status()).isEqualTo(409);
        assertThat(update(admin, member.apiKeyId(), ADMIN).status()).isEqualTo(200);
        assertThat(update(admin, admin.apiKeyId(), MEMBER).status()).isEqualTo(200);
    }

    @Test
    void workspaceKeysAreRestoredByAdminsOfOrganization() {
        // Given
        Account bound = Accounts.account().create();

        // When
        HttpResult alone = update(bound, bound.apiKeyId(), MEMBER);
        Account wide = Accounts.account().inOrganizationOf(bound).organizationWide().create();
        HttpResult restorable = update(wide, bound.apiKeyId(), MEMBER);

        // Then
        assertThat(alone.status()).isEqualTo(409);
        assertThat(alone.detail()).contains("the last admin key of the workspace " + bound.workspaceId());
        assertThat(restorable.status()).isEqualTo(200);
    }

    @Test
    void concurrentDemotionsLeaveOneAdmin() {
        // Given
        Account second = Accounts.account().inOrganizationOf(admin).organizationWide().create();

        // When
        List<CompletableFuture<Integer>> demotions = Stream.of(admin.apiKeyId(), second.apiKeyId())
                .map(id -> CompletableFuture.supplyAsync(() -> update(admin, id, MEMBER).status()))
                .toList();

        // Then
        assertThat(demotions.stream().map(CompletableFuture::join)).containsOnlyOnce(200);
    }

    @Test
    void workspaceAdminsChangeKeysOfTheirWorkspaceOnly() {
        // Given
        Account bound = Accounts.account().create();
        Account own = Accounts.account().inWorkspaceOf(bound).role("member").create();
        Account wide = Accounts.account().inOrganizationOf(bound).organizationWide().role("member").create();
        Account neighbour = Accounts.account().inOrganizationOf(bound).create();

        // When / Then
        assertThat(update(bound, own.apiKeyId(), ADMIN).status()).isEqualTo(200);
        assertThat(Stream.of(wide, neighbour, admin).flatMap(key -> Stream.of(ADMIN, MEMBER, "{}")
                .map(body -> update(bound, key.apiKeyId(), body).status()))).containsOnly(404);
    }

    @Test
    void membersCannotChangeKeys() {
        // Given
        Account member = Accounts.account().inWorkspaceOf(admin).role("member").create();

        // When / Then
        assertThat(update(member, member.apiKeyId(), ADMIN).status()).isEqualTo(403);
        assertThat(as(member).get("/v1/whoami").text("role")).isEqualTo("member");
    }

    @Test
    void invalidMembersAreReportedTogether() {
        // When
        HttpResult response = update(admin, admin.apiKeyId(), "{\"name\": \" \", \"role\": \"owner\"}");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc.flatten()", String.class)).containsExactlyInAnyOrder("name", "role");
    }

    @Test
    void revokedAndUnknownKeysAreNotFound() {
        // Given
        Account revoked = Accounts.account().inWorkspaceOf(admin).create();
        as(admin).delete(KEYS + "/" + revoked.apiKeyId());

        // When / Then
        assertThat(Stream.of(revoked.apiKeyId(), UUID.randomUUID()).flatMap(id -> Stream.of(MEMBER, "{\"name\": \"x\"}")
                .map(body -> update(admin, id, body).status()))).containsOnly(404);
    }

    private static HttpResult update(Account caller, UUID key, String body) {
        return as(caller).patch(KEYS + "/" + key, body);
    }
}
