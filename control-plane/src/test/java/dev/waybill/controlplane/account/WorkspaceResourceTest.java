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
        HttpResult response = as(admin).post("/v1/workspaces", "{\"name\": \"Production\"}");

        // Then
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.text("name")).isEqualTo("Production");
        assertThat(response.text("organization_id")).isEqualTo(admin.organizationId().toString());
        assertThat(response.id().version()).isEqualTo(7);
        assertThat(response.text("created_at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    }

    @Test
    void workspaceAdminsCannotCreateWorkspaces() {
        // Given
        Account bound = Accounts.account().create();

        // When
        HttpResult response = as(bound).post("/v1/workspaces", "{\"name\": \"Another\"}");

        // Then
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.detail()).contains("needs an admin key of the whole organization");
    }

    @Test
    void membersCannotManageAccounts() {
        // Given
        Account member = Accounts.account().organizationWide().role("member").create();

        // When
        HttpResult response = as(member).get("/v1/workspaces");

        // Then
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.detail()).contains("role");
    }

    @Test
    void listIsPagedNewestFirst() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        UUID first = as(admin).newWorkspace("first");
        UUID second = as(admin).newWorkspace("second");

        // When
        HttpResult response = as(admin).get("/v1/workspaces?limit=2");

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(response.value("offset")).isEqualTo(2);
        assertThat(response.list("resources.id", UUID.class)).containsExactly(second, first);
    }

    @Test
    void pageAfterLastIsEmpty() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult response = as(admin).get("/v1/workspaces?offset=2147483647");

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.list("resources", Object.class)).isEmpty();
        assertThat(response.value("offset")).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void allPageViolationsAreReportedTogether() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult response = as(admin).get("/v1/workspaces?limit=101&offset=x");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc.flatten()", String.class)).containsExactly("limit", "offset");
    }

    @Test
    void workspaceAdminsListTheirOwnWorkspaceOnly() {
        // Given
        Account bound = Accounts.account().create();
        Accounts.account().inOrganizationOf(bound).create();

        // When
        HttpResult response = as(bound).get("/v1/workspaces");

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("X-Pagination-Total")).isEqualTo("1");
        assertThat(response.list("resources.id", UUID.class)).containsExactly(bound.workspaceId());
    }

    @Test
    void nameIsUniqueWithinOrganizationOnly() {
        // Given
        as(Accounts.account().organizationWide().create()).newWorkspace("shared name");
        Account other = Accounts.account().organizationWide().create();

        // When
        HttpResult response = as(other).post("/v1/workspaces", "{\"name\": \"shared name\"}");

        // Then
        assertThat(response.status()).isEqualTo(201);
    }

    @Test
    void oneOfTwentyConcurrentCreationsGetsName() throws Exception {
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
    void duplicateNameIsReported() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        as(admin).newWorkspace("taken");

        // When
        HttpResult response = as(admin).post("/v1/workspaces", "{\"name\": \"taken\"}");

        // Then
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.detail()).contains("\"taken\"");
    }

    @Test
    void nameWithControlCharactersIsRejected() {
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
    void nameInAnyScriptIsAccepted() {
        // Given
        Account admin = Accounts.account().organizationWide().create();

        // When
        HttpResult response = as(admin).post("/v1/workspaces", "{\"name\": \"Größe 東京 🚚\"}");

        // Then
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.text("name")).isEqualTo("Größe 東京 🚚");
    }
}
