package dev.waybill.bench.deployments;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

import dev.waybill.bench.BenchmarkOptions;
import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.Goal;
import dev.waybill.client.ControlPlaneClient;
import dev.waybill.client.WaybillClients;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.SourceRepository;

/**
 * Shared state of the deployment benchmarks.
 *
 * @param root root folder of the project
 * @param folder output folder
 */
record DeploymentBenchmarkContext(Path root, Path folder, Stack stack, WaybillClients client, BenchmarkOptions options,
        PrintStream out) {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

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

    Deployer deployer() {
        return new Deployer(client, stack.service(ServiceKind.CONTROL_PLANE).address());
    }

    ControlPlaneClient controlPlane() {
        return deployer().client();
    }

    /** Creates a deployment without waiting for it. */
    DeploymentResponse create(String name, SourceRepository repository) {
        return deployer().create(name, repository.address(), deployer().integration(repository.parent()));
    }

    /** Waits like a pipeline until the deployment is DEPLOYED. */
    void awaitDeployed(DeploymentResponse deployment) {
        await(() -> {
            RevisionResponse now = deployer().latestRevision(deployment, "30s");
            if (now.status().name().endsWith("_FAILED")) {
                throw new IllegalStateException(now.toString());
            }
            return now.status() == RevisionStatus.DEPLOYED;
        });
    }

    static void await(BooleanSupplier condition) {
        Wait.until(condition, POLL_INTERVAL, TIMEOUT, () -> "the condition was not met within " + TIMEOUT);
    }

    static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    static BenchmarkResult median(String name, String description, List<Double> seconds, Goal goal, double limit) {
        return BenchmarkResult.ofValues(name, description, "s", seconds, 0.5, goal, limit);
    }
}
