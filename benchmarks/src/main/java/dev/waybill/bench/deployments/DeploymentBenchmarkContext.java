package dev.waybill.bench.deployments;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.bench.BenchmarkOptions;
import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.Goal;
import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.SourceRepository;

/**
 * Shared state of the deployment benchmarks.
 *
 * @param root root folder of the project
 * @param folder output folder
 */
record DeploymentBenchmarkContext(Path root, Path folder, Stack stack, WaybillClient client, BenchmarkOptions options,
        PrintStream out) {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int POLL_MILLIS = 20;

    void print(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    URI at(String path) {
        return stack.service(ServiceKind.CONTROL_PLANE).address().resolve(path);
    }

    /** Returns a local git repository with the sample application. */
    SourceRepository sample() {
        SourceRepository repository = SourceRepository.in(folder.resolve("sample.git"));
        repository.commit(SourceRepository.files(StackSettings.sampleApplication(root)), "The sample");
        return repository;
    }

    /** Returns the id of an integration for the repository; creates it if needed. */
    String integration(SourceRepository repository) {
        URI integrations = at("/v1/integrations/repohost/install");
        return client.get(integrations).valueStream()
                .filter(candidate -> candidate.required("base_url").textValue().equals(repository.parent()))
                .findFirst()
                .orElseGet(() -> client.post(integrations, Json.object().put("installation_id", 0).put("name", "bench")
                        .put("base_url", repository.parent())))
                .required("id").textValue();
    }

    /** Creates a deployment without waiting for it. */
    JsonNode create(String name, SourceRepository repository, String integration) {
        ObjectNode request = Json.object().put("name", name).put("source", "repohost");
        request.putObject("source_config").put("repo_url", repository.address()).put("integration_id", integration);
        request.putObject("source_revision_config").put("repo_ref", "main");
        return client.post(at("/v2/deployments"), request);
    }

    /** Waits like a pipeline until the deployment is DEPLOYED. */
    void awaitDeployed(JsonNode deployment) {
        URI revision = at("/v2/deployments/" + deployment.required("id").textValue() + "/revisions/"
                + deployment.required("latest_revision_id").textValue() + "?wait=30s");
        await(() -> {
            JsonNode now = client.get(revision);
            if (now.required("status").textValue().endsWith("_FAILED")) {
                throw new IllegalStateException(now.toString());
            }
            return now.required("status").textValue().equals("DEPLOYED");
        });
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the condition was not met within " + TIMEOUT);
            }
            pause(Duration.ofMillis(POLL_MILLIS));
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    static BenchmarkResult median(String name, String description, List<Double> seconds, Goal goal, double limit) {
        return BenchmarkResult.ofValues(name, description, "s", seconds, 0.5, goal, limit);
    }
}
