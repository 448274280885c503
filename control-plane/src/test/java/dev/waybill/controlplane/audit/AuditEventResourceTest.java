package dev.waybill.controlplane.audit;

import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.audit.AuditEvents.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class AuditEventResourceTest {

    private final Account admin = Accounts.account().create();
    private final Account member = Accounts.account().inWorkspaceOf(admin).role("member").create();

    @Test
    void eventNamesCallerAddressAndResource() {
        // Given
        HttpResult created = as(admin).header("User-Agent", "Test/1.0 (x)").post("/v1/api-keys",
                "{\"name\": \"CI\", \"workspace_id\": \"" + admin.workspaceId() + "\"}");

        // When
        List<Map<String, Object>> events = as(admin).get(PATH).response().jsonPath().getList("items");

        // Then
        assertThat(events).singleElement().satisfies(event -> assertThat(event)
                .containsEntry("actor", "api_key")
                .containsEntry("actor_id", admin.apiKeyId().toString())
                .containsEntry("actor_name", "Test key")
                .containsEntry("tenant_id", admin.workspaceId().toString())
                .containsEntry("service", "control-plane")
                .containsEntry("method", "POST")
                .containsEntry("route", "/v1/api-keys")
                .containsEntry("resource_id", created.text("id"))
                .containsEntry("outcome", "done")
                .containsEntry("status", 201)
                .containsEntry("client_address", "127.0.0.1")
                .containsEntry("user_agent", "Test/1.0 (x)")
                .containsEntry("request_id", created.header("X-Request-Id")));
    }

    @Test
    void eventsOfDeletedKeyHaveItsName() {
        // Given
        Account other = Accounts.account().inWorkspaceOf(admin).create();
        AuditEvents.refused(other);

        // When
        as(admin).delete("/v1/api-keys/" + other.apiKeyId());

        // Then
        HttpResult events = as(admin).get(PATH);
        assertThat(events.list("items.actor_name", String.class)).containsExactly("Test key", "Test key");
        assertThat(events.list("items.resource_name", String.class)).containsExactly("Test key", null);
    }

    @Test
    void namesOfForeignKeysAreNotRevealed() {
        // Given
        Account neighbour = Accounts.account().inOrganizationOf(admin).create();
        Account owner = Accounts.account().organizationWide().inOrganizationOf(admin).create();

        // When
        as(admin).delete("/v1/api-keys/" + neighbour.apiKeyId());

        // Then
        assertThat(as(admin).get(PATH).list("items.resource_name", String.class)).containsExactly((String) null);
        assertThat(as(owner).in(admin.workspaceId()).get(PATH).list("items.resource_name", String.class))
                .containsExactly("Test key");
    }

    @Test
    void eventIsFoundByItsIdOnly() {
        // Given
        AuditEvents.insert(admin, 3, "1 hour");
        Account neighbour = Accounts.account().inOrganizationOf(admin).create();
        String oldest = as(admin).get(PATH).text("items[2].id");

        // Then
        assertThat(as(admin).get(PATH + "?event_id=" + oldest).list("items.id", String.class)).containsExactly(oldest);
        assertThat(as(neighbour).get(PATH + "?event_id=" + oldest).list("items", Object.class)).isEmpty();
    }

    @Test
    void refusedRequestsAreListed() {
        // When
        as(member).post("/v1/api-keys", "{\"name\": \"CI\"}");

        // Then
        HttpResult events = as(admin).get(PATH + "?outcome=refused");
        assertThat(events.list("items.status", Integer.class)).containsExactly(403);
        assertThat(events.text("items[0].actor_id")).isEqualTo(member.apiKeyId().toString());
    }

    @Test
    void repeatedRequestIsReplayed() {
        // Given
        String key = UUID.randomUUID().toString();
        String body = "{\"name\": \"CI\", \"workspace_id\": \"" + admin.workspaceId() + "\"}";

        // When
        as(admin).header("Idempotency-Key", key).post("/v1/api-keys", body);
        as(admin).header("Idempotency-Key", key).post("/v1/api-keys", body);

        // Then
        assertThat(as(admin).get(PATH).list("items.outcome", String.class)).containsExactly("replayed", "done");
    }

    @Test
    void membersReceive403() {
        assertThat(as(member).get(PATH).status()).isEqualTo(403);
    }

    @Test
    void eventsOfOtherWorkspacesAreInvisible() {
        // Given
        Account neighbour = Accounts.account().inOrganizationOf(admin).create();
        AuditEvents.createKey(admin);

        // Then
        assertThat(AuditEvents.requests(neighbour, "")).isEmpty();
        assertThat(AuditEvents.requests(neighbour, "?actor_id=" + admin.apiKeyId())).isEmpty();
    }

    @Test
    void organizationKeyListsRequestsWithoutWorkspace() {
        // Given
        Account owner = Accounts.account().organizationWide().inOrganizationOf(admin).create();
        Account stranger = Accounts.account().organizationWide().create();
        String request = as(owner).post("/v1/workspaces", "{\"name\": \"a\"}").header("X-Request-Id");
        String inWorkspace = AuditEvents.refused(admin);

        // Then
        assertThat(as(owner).in(admin.workspaceId()).get(PATH).list("items.request_id", String.class))
                .containsExactly(inWorkspace, request);
        assertThat(AuditEvents.requests(admin, "")).containsExactly(inWorkspace);
        assertThat(as(stranger).in(stranger.workspaceId()).get(PATH).list("items", Object.class)).isEmpty();
    }

    @Test
    void pagesContainEachEventOnceNewestFirst() {
        // Given
        AuditEvents.insert(admin, 25, "1 hour");

        // When
        List<Map<String, Object>> events = new ArrayList<>();
        String cursor = "";
        for (int page = 0; page < 4; page++) {
            HttpResult response = as(admin).get(PATH + "?limit=7" + cursor);
            events.addAll(response.response().jsonPath().getList("items"));
            cursor = "&cursor=" + response.text("next_cursor");
        }

        // Then
        assertThat(cursor).isEqualTo("&cursor=null");
        assertThat(events).hasSize(25).extracting(event -> event.get("request_id")).doesNotHaveDuplicates();
        assertThat(events).extracting(event -> (String) event.get("occurred_at"))
                .isSortedAccordingTo(Comparator.reverseOrder());
    }

    @Test
    void filtersSelectEvents() {
        // Given
        HttpResult created = AuditEvents.createKey(admin);
        String refused = AuditEvents.refused(admin);
        String deleted = as(admin).delete("/v1/api-keys/" + created.text("id")).header("X-Request-Id");
        String create = created.header("X-Request-Id");
        as(member).post("/v1/api-keys", "{\"name\": \"CI\"}");
        String refusedAt = as(admin).get(PATH + "?resource_id=" + created.text("id")).text("items[0].occurred_at");

        // Then
        assertThat(AuditEvents.requests(admin, "?actor_id=" + admin.apiKeyId())).containsExactly(deleted, refused, create);
        assertThat(AuditEvents.requests(admin, "?resource_id=" + created.text("id"))).containsExactly(deleted, create);
        assertThat(AuditEvents.requests(admin, "?outcome=done,failed")).containsExactly(deleted, create);
        assertThat(AuditEvents.requests(admin, "?method=DELETE")).containsExactly(deleted);
        assertThat(AuditEvents.requests(admin, "?end_time=" + refusedAt)).containsExactly(refused, create);
        assertThat(AuditEvents.requests(admin, "?start_time=" + refusedAt + "&method=DELETE")).containsExactly(deleted);
    }

    @Test
    void allInvalidParametersAreReported() {
        HttpResult response = as(admin)
                .get(PATH + "?event_id=x&resource_id=x&outcome=ok&method=GET&start_time=x&end_time=y&limit=0"
                        + "&cursor=x&actor_id=%00");

        response.assertIsProblem("invalid", PATH);
        assertThat(response.list("errors.loc.flatten()", String.class)).containsExactly("event_id", "actor_id", "resource_id",
                "outcome", "method", "start_time", "end_time", "limit", "cursor");
    }

    @Test
    void endTimeMustFollowStartTime() {
        HttpResult response = as(admin).get(PATH + "?start_time=2026-01-02T00:00:00Z&end_time=2026-01-02T00:00:00Z");

        assertThat(response.status()).isEqualTo(422);
        assertThat(response.detail()).contains("end_time must be after start_time");
    }
}
