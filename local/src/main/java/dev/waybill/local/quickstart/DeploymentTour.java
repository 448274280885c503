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

import dev.waybill.client.RunEvent;
import dev.waybill.client.WaybillClients;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.tour.ContinuousClient;
import dev.waybill.local.tour.DeployedApplication;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.SourceRepository;

/**
 * The part of the tour about deployments: commits an application, deploys it, streams a run, shows its trace, continues a
 * thread, and deploys a second revision while a client uses the application.
 *
 * @param traces the address of the service that stores the traces
 * @param sample the folder of the sample application
 * @param repositories the folder in which the tour creates a git repository
 */
record DeploymentTour(Deployer deployer, WaybillClients clients, URI traces, Terminal terminal, Path sample,
        Path repositories) {

    /** The name of the deployment. */
    static final String NAME = "sample-application";

    private static final String CONFIGURATION = "langgraph.json";
    private static final int RUN_AND_STEP = 2;

    /** Runs the tour and returns the application's address. */
    URI run() {
        try (SourceRepository repository = SourceRepository.in(repositories.resolve(NAME + ".git"))) {
            URI address = deploy(repository);
            DeployedApplication application = new DeployedApplication(clients, address, traces);
            stream(application);
            remember(application);
            update(repository, application);
            return address;
        }
    }

    private URI deploy(SourceRepository repository) {
        terminal.title("5. Deploy an application from its git repository (POST /v2/deployments)");
        long startNanos = System.nanoTime();
        String commit = repository.commit(SourceRepository.files(sample), "The sample application");
        terminal.line("%-16s %s, commit %.12s", "repository", repository.address(), commit);
        URI address = deployer.deploy(NAME, repository,
                status -> terminal.line("%-16s after %.1f s", status, (System.nanoTime() - startNanos) / 1e9));
        terminal.line("%-16s %s", "address", address);
        return address;
    }

    private void update(SourceRepository repository, DeployedApplication application) {
        terminal.title("8. Deploy a second revision while it is in use (POST /v2/deployments/{id}/revisions)");
        long startNanos = System.nanoTime();
        String commit = repository.commit(changed(SourceRepository.files(sample)), "Another description");
        ContinuousClient other = ContinuousClient.start(clients, application.deployment());
        try (other) {
            deployer.deploy(NAME, repository, _ -> {
            });
        }
        terminal.line("commit %.12s is deployed after %.1f s; of %d concurrent runs %s failed", commit,
                (System.nanoTime() - startNanos) / 1e9, other.runCount(), other.failures().isEmpty() ? "none" : "some");
        terminal.line("description of its assistant: %s", application.assistant().description());
        if (!other.failures().isEmpty()) {
            throw new StackException("runs failed during the update: " + other.failures());
        }
    }

    private static Map<String, byte[]> changed(Map<String, byte[]> files) {
        ObjectNode configuration = (ObjectNode) Json.parse(requireNonNull(files.get(CONFIGURATION)));
        ((ObjectNode) configuration.at("/graphs/agent")).put("description", "Echoes its input. Second revision.");
        files.put(CONFIGURATION, Json.bytes(configuration));
        return files;
    }

    private void stream(DeployedApplication application) {
        terminal.title("6. Stream a run of it (POST /runs/stream), and find its trace (POST /api/v1/runs/query)");
        String run = application.stream("Every agent deserves a waybill.", "messages-tuple", this::show);
        List<JsonNode> trace = application.awaitTrace(run, RUN_AND_STEP);
        terminal.line("%-10s %-9s %8s %7s  %s", "trace", "run_type", "seconds", "tokens", "outputs");
        for (JsonNode row : trace) {
            String indent = row.path("parent_run_id").isNull() ? "" : "  ";
            terminal.line("%-10s %-9s %8.3f %7s  %s", indent + row.required("name").textValue(),
                    row.required("run_type").textValue(), seconds(row), row.path("total_tokens").asText("-"),
                    row.at("/outputs/messages").path(row.at("/outputs/messages").size() - 1).path("content").asText());
        }
    }

    private void remember(DeployedApplication application) {
        terminal.title("7. Two runs on one thread: the second one knows the first (POST /threads/{thread_id}/runs/wait)");
        JsonNode values = application.converse("My name is Ada.", "What do you know?");
        values.path("messages").forEach(message -> terminal.line("%-10s %s", message.path("role").asText(),
                message.path("content").asText()));
        if (!"My name is Ada.".equals(values.at("/messages/0/content").asText())) {
            throw new StackException("the second run does not know the first: " + values);
        }
    }

    private void show(RunEvent event) {
        JsonNode content = event.data().path(0).path("content");
        terminal.line("event: %-9s %s", event.name(), content.isMissingNode() ? event.data() : content);
    }

    private static double seconds(JsonNode row) {
        Instant start = Instant.parse(row.required("start_time").textValue());
        Instant end = Instant.parse(row.required("end_time").textValue());
        return Duration.between(start, end).toNanos() / 1e9;
    }
}
