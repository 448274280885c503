package dev.waybill.local.tour;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.client.WaybillException;

/**
 * Deploys applications from local git repositories (interface.md 2.2).
 *
 * @param controlPlane the address of the control plane
 */
public record Deployer(WaybillClient client, URI controlPlane) {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int POLL_MILLIS = 50;

    /**
     * Deploys the repository's last commit, waits until the application is available and returns its address. Updates an
     * existing
     * deployment of this name if necessary.
     *
     * @param states receives each status of the revision
     */
    public URI deploy(String name, SourceRepository repository, Consumer<String> states) {
        JsonNode deployment = find(name).map(found -> update(found, repository))
                .orElseGet(() -> create(name, repository));
        awaitDeployed(revision(deployment), states);
        URI url = URI.create(deployment.required("url").textValue());
        awaitAvailable(url);
        return url;
    }

    private Optional<JsonNode> find(String name) {
        return client.get(at("/v2/deployments?limit=100&name_contains=" + WaybillClient.urlEncode(name))).required("resources")
                .valueStream()
                .filter(deployment -> deployment.required("name").textValue().equals(name))
                .findFirst();
    }

    private JsonNode update(JsonNode deployment, SourceRepository repository) {
        JsonNode latest = client.get(revision(deployment));
        String commit = latest.at("/source_revision_config/repo_commit_sha").asText();
        boolean failed = latest.required("status").textValue().endsWith("_FAILED");
        if (commit.equals(repository.head()) && !failed) {
            return deployment;
        }
        client.post(at("/v2/deployments/" + deployment.required("id").textValue() + "/revisions"), Json.object());
        return client.get(at("/v2/deployments/" + deployment.required("id").textValue()));
    }

    private JsonNode create(String name, SourceRepository repository) {
        ObjectNode request = Json.object().put("name", name).put("source", "repohost");
        request.putObject("source_config").put("repo_url", repository.address())
                .put("integration_id", integration(repository.parent()));
        request.putObject("source_revision_config").put("repo_ref", "main");
        return client.post(at("/v2/deployments"), request);
    }

    private String integration(String baseUrl) {
        URI integrations = at("/v1/integrations/repohost/install");
        return client.get(integrations).valueStream()
                .filter(integration -> integration.path("base_url").asText().equals(baseUrl))
                .findFirst()
                .orElseGet(() -> client.post(integrations,
                        Json.object().put("installation_id", 0).put("name", "This machine").put("base_url", baseUrl)))
                .required("id").textValue();
    }

    private URI revision(JsonNode deployment) {
        return at("/v2/deployments/" + deployment.required("id").textValue() + "/revisions/"
                + deployment.required("latest_revision_id").textValue());
    }

    private void awaitDeployed(URI revision, Consumer<String> states) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        String previous = "";
        while (!previous.equals("DEPLOYED")) {
            JsonNode now = client.get(revision);
            String status = now.required("status").textValue();
            if (!Objects.equals(status, previous)) {
                states.accept(status);
            }
            if (status.matches("SKIPPED|INTERRUPTED|\\w+_FAILED") || System.nanoTime() > deadline) {
                throw new IllegalStateException("the application is not deployed: " + now);
            }
            previous = status;
            pause();
        }
    }

    /** Waits until the application responds; one that was deployed earlier may be restarting. */
    private void awaitAvailable(URI url) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isAvailable(url.resolve("/ok"))) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the application is deployed but does not respond at " + url);
            }
            pause();
        }
    }

    private boolean isAvailable(URI address) {
        try {
            client.get(address);
            return true;
        } catch (WaybillException | java.io.UncheckedIOException _) {
            return false;
        }
    }

    private URI at(String path) {
        return controlPlane.resolve(path);
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
