package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

/** Threat T10: every operation on an account resource, with ids of another organization and unknown ids. */
@QuarkusTest
class CrossTenantAccountAccessTest {

    private final Account mine = Accounts.account().organizationWide().create();
    private final Account foreign = Accounts.account().organizationWide().create();

    @TestFactory
    Stream<DynamicTest> foreignIdsAreReportedLikeUnknownIds() {
        return Stream.of(
                way("revoke a key by id", 404, foreign.apiKeyId(),
                        (client, id) -> client.delete("/v1/api-keys/" + id)),
                way("make a key for a workspace", 404, foreign.workspaceId(),
                        (client, id) -> client.post("/v1/api-keys", "{\"name\": \"x\", \"workspace_id\": \"" + id + "\"}")),
                way("name a workspace in X-Tenant-Id: whoami", 403, foreign.workspaceId(),
                        (client, id) -> client.in(id).get("/v1/whoami")),
                way("name a workspace in X-Tenant-Id: list workspaces", 403, foreign.workspaceId(),
                        (client, id) -> client.in(id).get("/v1/workspaces")),
                way("name a workspace in X-Tenant-Id: create a workspace", 403, foreign.workspaceId(),
                        (client, id) -> client.in(id).post("/v1/workspaces", "{\"name\": \"x\"}")),
                way("name a workspace in X-Tenant-Id: list keys", 403, foreign.workspaceId(),
                        (client, id) -> client.in(id).get("/v1/api-keys")),
                way("name a workspace in X-Tenant-Id: create a key", 403, foreign.workspaceId(),
                        (client, id) -> client.in(id).post("/v1/api-keys", "{\"name\": \"x\"}")),
                way("name a workspace in X-Tenant-Id: revoke a key", 403, foreign.workspaceId(),
                        (client, id) -> client.in(id).delete("/v1/api-keys/" + mine.apiKeyId())));
    }

    @TestFactory
    Stream<DynamicTest> listsContainNoForeignResources() {
        return Stream.of("/v1/workspaces", "/v1/api-keys").map(path -> DynamicTest.dynamicTest(path, () -> {
            // When
            String list = as(mine).get(path + "?limit=100").body();

            // Then
            assertThat(list).contains("\"id\"")
                    .doesNotContain(foreign.organizationId().toString(), foreign.workspaceId().toString(),
                            foreign.apiKeyId().toString());
        }));
    }

    private DynamicTest way(String name, int status, UUID foreignId, BiFunction<ApiClient, UUID, HttpResult> call) {
        return DynamicTest.dynamicTest(name, () -> {
            // When
            List<UUID> ids = List.of(foreignId, UUID.randomUUID());
            List<HttpResult> responses = ids.stream().map(id -> call.apply(as(mine), id)).toList();

            // Then
            assertThat(responses).extracting(HttpResult::status).containsExactly(status, status);
            assertThat(responses.get(0).detail().replace(ids.get(0).toString(), "ID"))
                    .isEqualTo(responses.get(1).detail().replace(ids.get(1).toString(), "ID"));
            assertThat(as(foreign).get("/v1/whoami").status()).isEqualTo(200);
        });
    }
}
