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
 * Deploys from a repository of this machine, as a pipeline does (interface.md 2.2).
 *
 * @param controlPlane its address
 */
public record Deployer(WaybillClient client, URI controlPlane) {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int LOOK_MILLIS = 50;

    /**
     * Returns when the repository's last commit is deployed and answers. A deployment of that name is brought up to date, one
     * that is up to date stays as it is.
     *
     * @param states gets every status of the revision that is seen
     * @return the application's address
     */
    public URI deploy(String name, SourceRepository repository, Consumer<String> states) {
        JsonNode deployment = find(name).map(found -> upToDate(found, repository))
                .orElseGet(() -> create(name, repository));
        awaitDeployed(revision(deployment), states);
        URI url = URI.create(deployment.required("url").textValue());
        awaitAnswer(url);
        return url;
    }

    private Optional<JsonNode> find(String name) {
        return client.get(at("/v2/deployments?limit=100&name_contains=" + WaybillClient.encoded(name))).required("resources")
                .valueStream()
                .filter(deployment -> deployment.required("name").textValue().equals(name))
                .findFirst();
    }

    private JsonNode upToDate(JsonNode deployment, SourceRepository repository) {
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
        long deadline = System.nanoTime() + LIMIT.toNanos();
        String seen = "";
        while (!seen.equals("DEPLOYED")) {
            JsonNode now = client.get(revision);
            String status = now.required("status").textValue();
            if (!Objects.equals(status, seen)) {
                states.accept(status);
            }
            if (status.matches("SKIPPED|INTERRUPTED|\\w+_FAILED") || System.nanoTime() > deadline) {
                throw new IllegalStateException("the application is not deployed: " + now);
            }
            seen = status;
            pause();
        }
    }

    /** One that was deployed earlier may only just be started again. */
    private void awaitAnswer(URI url) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!answers(url.resolve("/ok"))) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the application is deployed and does not answer at " + url);
            }
            pause();
        }
    }

    private boolean answers(URI address) {
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
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
