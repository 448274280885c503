package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class WorkspaceResourceTest {

    @Test
    void organizationAdminsCreateWorkspaces() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult answer = as(admin).post("/v1/workspaces", "{\"name\": \"Production\"}");

        // Then
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("name")).isEqualTo("Production");
        assertThat(answer.text("organization_id")).isEqualTo(admin.organizationId().toString());
        assertThat(answer.id().version()).isEqualTo(7);
        assertThat(answer.text("created_at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    }

    @Test
    void workspaceAdminsCreateNone() {
        // Given
        Account bound = Accounts.account().create();

        // When
        HttpResult answer = as(bound).post("/v1/workspaces", "{\"name\": \"Another\"}");

        // Then
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.detail()).contains("needs an admin key of the whole organization");
    }

    @Test
    void membersManageNothing() {
        // Given
        Account member = Accounts.account().organizationWide().role("member").create();

        // When
        HttpResult answer = as(member).get("/v1/workspaces");

        // Then
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.detail()).contains("role");
    }

    @Test
    void listsAreNewestFirstAndPaged() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        UUID first = as(admin).newWorkspace("first");
        UUID second = as(admin).newWorkspace("second");

        // When
        HttpResult answer = as(admin).get("/v1/workspaces?limit=2");

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(answer.value("offset")).isEqualTo(2);
        assertThat(answer.list("resources.id", UUID.class)).containsExactly(second, first);
    }

    @Test
    void thePageAfterTheLastIsEmpty() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult answer = as(admin).get("/v1/workspaces?offset=2147483647");

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.list("resources", Object.class)).isEmpty();
        assertThat(answer.value("offset")).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void everythingWrongWithAPageIsToldAtOnce() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult answer = as(admin).get("/v1/workspaces?limit=101&offset=x");

        // Then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.list("errors.loc.flatten()", String.class)).containsExactly("limit", "offset");
    }

    @Test
    void workspaceAdminsSeeTheirOwnOnly() {
        // Given
        Account bound = Accounts.account().create();
        Accounts.account().inOrganizationOf(bound).create();

        // When
        HttpResult answer = as(bound).get("/v1/workspaces");

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("X-Pagination-Total")).isEqualTo("1");
        assertThat(answer.list("resources.id", UUID.class)).containsExactly(bound.workspaceId());
    }

    @Test
    void theSameNameInAnotherOrganizationIsFree() {
        // Given
        as(Accounts.account().organizationWide().create()).newWorkspace("shared name");
        Account other = Accounts.account().organizationWide().create();

        // When
        HttpResult answer = as(other).post("/v1/workspaces", "{\"name\": \"shared name\"}");

        // Then
        assertThat(answer.status()).isEqualTo(201);
    }

    @Test
    void ofTwentyRacingForANameOneWins() throws Exception {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        Callable<Integer> create = () -> as(admin).post("/v1/workspaces", "{\"name\": \"contested\"}").status();

        // When
        List<Integer> statuses;
        try (ExecutorService clients = Executors.newFixedThreadPool(20)) {
            statuses = clients.invokeAll(IntStream.range(0, 20).mapToObj(i -> create).toList()).stream()
                    .map(Future::resultNow)
                    .toList();
        }

        // Then
        assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
        assertThat(statuses).filteredOn(status -> status == 409).hasSize(19);
    }

    @Test
    void aTakenNameIsNamed() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        as(admin).newWorkspace("taken");

        // When
        HttpResult answer = as(admin).post("/v1/workspaces", "{\"name\": \"taken\"}");

        // Then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.detail()).contains("\"taken\"");
    }

    @Test
    void namesWithControlCharactersAreRefused() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        List<Integer> statuses = List.of("", "  ", "a\\u0000b", "a\\nb", "\\ud800", "x".repeat(256)).stream()
                .map(name -> as(admin).post("/v1/workspaces", "{\"name\": \"" + name + "\"}").status())
                .toList();

        // Then
        assertThat(statuses).containsOnly(422);
    }

    @Test
    void namesInAnyScriptAreWelcome() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult answer = as(admin).post("/v1/workspaces", "{\"name\": \"Größe 東京 🚚\"}");

        // Then
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("name")).isEqualTo("Größe 東京 🚚");
    }
}
