package dev.waybill.local.quickstart;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.RunEvent;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.tour.DeployedApplication;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.SourceRepository;
import dev.waybill.local.tour.SteadyCaller;

/**
 * Commits an application, deploys it from there, streams a run of it, shows what its trace tells of it, and changes it while it
 * is used.
 *
 * @param traces the address of the service that has its traces
 * @param sample the application's folder
 * @param repositories the folder that it is committed in
 */
record DeploymentTour(Deployer deployer, WaybillClient client, URI traces, Screen screen, Path sample, Path repositories) {

    /** The deployment's. */
    static final String NAME = "sample-application";

    private static final String CONFIGURATION = "langgraph.json";
    private static final int RUN_AND_STEP = 2;

    /** @return the application's address */
    URI take() {
        try (SourceRepository repository = SourceRepository.in(repositories.resolve(NAME + ".git"))) {
            URI address = deploy(repository);
            DeployedApplication application = new DeployedApplication(client, address, traces);
            stream(application);
            update(repository, application);
            return address;
        }
    }

    private URI deploy(SourceRepository repository) {
        screen.title("5. Deploy an application from its git repository (POST /v2/deployments)");
        long began = System.nanoTime();
        String commit = repository.commit(SourceRepository.files(sample), "The sample application");
        screen.line("%-16s %s, commit %.12s", "repository", repository.address(), commit);
        URI address = deployer.deploy(NAME, repository,
                status -> screen.line("%-16s after %.1f s", status, (System.nanoTime() - began) / 1e9));
        screen.line("%-16s %s", "serves at", address);
        return address;
    }

    private void update(SourceRepository repository, DeployedApplication application) {
        screen.title("7. Deploy a second revision while it is in use (POST /v2/deployments/{id}/revisions)");
        long began = System.nanoTime();
        String commit = repository.commit(changed(SourceRepository.files(sample)), "Another description");
        SteadyCaller caller = SteadyCaller.of(client, application.deployment());
        try (caller) {
            deployer.deploy(NAME, repository, _ -> {
            });
        }
        screen.line("commit %.12s is deployed after %.1f s; of %d runs meanwhile %s failed", commit,
                (System.nanoTime() - began) / 1e9, caller.answered(), caller.failures().isEmpty() ? "none" : "some");
        screen.line("It says of itself now: %s", application.description());
        if (!caller.failures().isEmpty()) {
            throw new StackException("an update must not be noticed: " + caller.failures());
        }
    }

    private static Map<String, byte[]> changed(Map<String, byte[]> files) {
        ObjectNode configuration = (ObjectNode) Json.parse(requireNonNull(files.get(CONFIGURATION)));
        ((ObjectNode) configuration.at("/graphs/agent")).put("description", "Says what it was told. The second revision.");
        files.put(CONFIGURATION, Json.bytes(configuration));
        return files;
    }

    private void stream(DeployedApplication application) {
        screen.title("6. Stream a run of it (POST /runs/stream), and find its trace (POST /api/v1/runs/query)");
        String run = application.stream("Every agent deserves a waybill.", "messages-tuple", this::show);
        List<JsonNode> trace = application.awaitTrace(run, RUN_AND_STEP);
        screen.line("%-10s %-9s %8s %7s  %s", "trace", "run_type", "seconds", "tokens", "outputs");
        for (JsonNode row : trace) {
            String indent = row.path("parent_run_id").isNull() ? "" : "  ";
            screen.line("%-10s %-9s %8.3f %7s  %s", indent + row.required("name").textValue(),
                    row.required("run_type").textValue(), seconds(row), row.path("total_tokens").asText("-"),
                    row.at("/outputs/messages").path(row.at("/outputs/messages").size() - 1).path("content").asText());
        }
    }

    private void show(RunEvent event) {
        JsonNode content = event.data().path(0).path("content");
        screen.line("event: %-9s %s", event.name(), content.isMissingNode() ? event.data() : content);
    }

    private static double seconds(JsonNode row) {
        Instant start = Instant.parse(row.required("start_time").textValue());
        Instant end = Instant.parse(row.required("end_time").textValue());
        return Duration.between(start, end).toNanos() / 1e9;
    }
}
