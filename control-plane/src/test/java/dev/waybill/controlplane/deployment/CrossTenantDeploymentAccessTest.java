package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Threat T10: every operation on an integration, deployment or revision, with ids of another workspace and unknown ids.
 */
@QuarkusTest
class CrossTenantDeploymentAccessTest {

    private final Account mine = Deployments.account();
    private final Account other = Deployments.account();

    @TestFactory
    Stream<DynamicTest> foreignIdsAreReportedLikeUnknownIds() {
        UUID integration = as(other).post("/v1/integrations/repohost/install",
                "{\"installation_id\": 1, \"name\": \"acme\", \"base_url\": \"" + Deployments.BASE_URL + "\"}").id();
        HttpResult deployed = Deployments.deployed(other, Deployments.newName());
        UUID own = Deployments.deployed(mine, Deployments.newName()).id();
        UUID foreign = deployed.id();
        UUID revision = Deployments.latest(deployed);
        String deployments = Deployments.PATH + "/";
        return Stream.of(
                way("get an integration", integration, (client, id) -> client.get("/v1/integrations/repohost/" + id)),
                way("get it by the other name", integration, (client, id) -> client.get("/v1/integrations/github/" + id)),
                way("delete an integration", integration, (client, id) -> client.delete("/v1/integrations/repohost/" + id)),
                way("list repositories", integration, (client, id) -> client.get("/v1/integrations/repohost/" + id + "/repos")),
                way("deploy with an integration", integration, (client, id) -> client.post(Deployments.PATH,
                        Deployments.body(Deployments.newName(), "main", ", \"integration_id\": \"" + id + "\""))),
                way("get a deployment", foreign, (client, id) -> client.get(deployments + id)),
                way("change a deployment", foreign,
                        (client, id) -> client.patch(deployments + id, "{\"display_name\": \"x\"}")),
                way("delete a deployment", foreign, (client, id) -> client.delete(deployments + id)),
                way("list revisions", foreign, (client, id) -> client.get(deployments + id + "/revisions")),
                way("create a revision", foreign, (client, id) -> client.post(deployments + id + "/revisions", "{}")),
                way("get a revision", foreign, (client, id) -> client.get(deployments + id + "/revisions/" + revision)),
                way("get a revision of one's own", revision,
                        (client, id) -> client.get(deployments + own + "/revisions/" + id)),
                way("wait for a revision", revision,
                        (client, id) -> client.get(deployments + own + "/revisions/" + id + "?wait=1s")),
                way("redeploy a revision", revision,
                        (client, id) -> client.post(deployments + own + "/revisions/" + id + "/redeploy", "{}")),
                way("interrupt a revision", revision,
                        (client, id) -> client.post(deployments + own + "/revisions/" + id + "/interrupt", "{}")),
                way("read a log", revision, (client, id) -> client.get(deployments + own + "/revisions/" + id + "/logs")),
                way("read the status", foreign, (client, id) -> client.get(deployments + id + "/status")),
                way("read a server log", revision,
                        (client, id) -> client.get(deployments + own + "/revisions/" + id + "/logs?phase=server")),
                way("follow a log", revision, (client, id) -> client.header("Accept", "text/event-stream")
                        .get(deployments + own + "/revisions/" + id + "/logs")));
    }

    @TestFactory
    Stream<DynamicTest> listsContainNoForeignResources() {
        UUID foreign = Deployments.create(other, Deployments.newName()).id();
        return Stream.of(Deployments.PATH, "/v1/integrations/repohost/install")
                .map(path -> DynamicTest.dynamicTest(path,
                        () -> assertThat(as(mine).get(path).body()).doesNotContain(foreign.toString())));
    }

    private DynamicTest way(String name, UUID foreignId, BiFunction<ApiClient, UUID, HttpResult> call) {
        return DynamicTest.dynamicTest(name, () -> {
            // When
            List<UUID> ids = List.of(foreignId, UUID.randomUUID());
            List<HttpResult> responses = ids.stream().map(id -> call.apply(as(mine), id)).toList();

            // Then
            assertThat(responses).extracting(HttpResult::status).containsExactly(404, 404);
            assertThat(responses.get(0).detail().replace(ids.get(0).toString(), "ID"))
                    .isEqualTo(responses.get(1).detail().replace(ids.get(1).toString(), "ID"));
        });
    }
}
