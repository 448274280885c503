package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.DeployedApplication;

/** A client of one deployment. */
record AgentDeployment(Workspace workspace, String id, URI url) {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** Registers an integration for the repository and deploys its branch {@code main}. */
    static AgentDeployment create(Workspace workspace, AgentRepository repository) {
        JsonNode integration = workspace.client().post(control(workspace, "/v1/integrations/repohost/install"),
                Json.object().put("installation_id", 0).put("name", workspace.name())
                        .put("base_url", repository.server.baseUrl()));
        ObjectNode request = Json.object().put("name", workspace.name()).put("source", "repohost");
        request.putObject("source_config").put("repo_url", repository.server.url())
                .put("integration_id", integration.required("id").textValue());
        request.putObject("source_revision_config").put("repo_ref", "main");
        JsonNode created = workspace.client().post(control(workspace, "/v2/deployments"), request);
        return new AgentDeployment(workspace, created.required("id").textValue(),
                URI.create(created.required("url").textValue()));
    }

    JsonNode get() {
        return workspace.client().get(address(""));
    }

    String latestRevision() {
        return get().required("latest_revision_id").textValue();
    }

    /** Creates a revision of the branch's latest commit and returns its id. */
    String update() {
        return workspace.client().post(address("/revisions"), Json.object()).required("id").textValue();
    }

    JsonNode revision(String revision) {
        return workspace.client().get(address("/revisions/" + revision));
    }

    /** Waits until the revision has a final status and returns it. */
    JsonNode awaitSettled(String revision) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            JsonNode current = workspace.client().get(address("/revisions/" + revision + "?wait=30s"));
            if (current.required("status").textValue().matches("DEPLOYED|SKIPPED|INTERRUPTED|\\w+_FAILED")) {
                return current;
            }
            assertThat(System.nanoTime()).as("%s", current).isLessThan(deadline);
        }
    }

    void awaitDeployed(String revision) {
        JsonNode settled = awaitSettled(revision);
        assertThat(settled.required("status").textValue()).as("%s %s", settled, logs(revision)).isEqualTo("DEPLOYED");
    }

    private JsonNode logs(String revision) {
        return workspace.client().get(address("/revisions/" + revision + "/logs"));
    }

    void delete() {
        workspace.client().delete(address(""));
    }

    /** Returns the description of the active revision's assistant. */
    String description() {
        return workspace.client().post(url.resolve("/assistants/search"), Json.object()).required(0).path("description")
                .textValue();
    }

    DeployedApplication application() {
        return new DeployedApplication(workspace.client(), url, workspace.running().address(ServiceKind.EXPERIMENT));
    }

    Path folder() {
        return workspace.running().stack.applications().resolve(id);
    }

    private URI address(String rest) {
        return control(workspace, "/v2/deployments/" + id + rest);
    }

    private static URI control(Workspace workspace, String path) {
        return workspace.running().address(ServiceKind.CONTROL_PLANE).resolve(path);
    }
}
