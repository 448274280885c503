package dev.waybill.bench.deployments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.Goal;
import dev.waybill.client.WaybillException;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.ApplicationProcesses;
import dev.waybill.local.tour.SourceRepository;

/** C1: measures the time to DEPLOYED relative to a manual start, and the delay of status changes. */
final class DeploymentTimeBenchmark {

    private final DeploymentBenchmarkContext bench;

    DeploymentTimeBenchmark(DeploymentBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        List<Double> differences = new ArrayList<>();
        List<Double> statusDelays = new ArrayList<>();
        List<Double> lossDelay = new ArrayList<>();
        List<Double> manual = new ArrayList<>();
        try (SourceRepository repository = bench.sample()) {
            double cold = deploy("cold", repository).deployed() - startManually("cold", repository);
            for (int round = 0; round < bench.options().pairs(); round++) {
                Times waybill = deploy("round-" + round, repository);
                double manualStart = startManually("round-" + round, repository);
                bench.print(
                        "pair    deployed after %.2f s, by hand %.2f s; status after %.3f s of serving, %.3f s after the crash",
                        waybill.deployed(), manualStart, waybill.statusDelay(), waybill.lossDelay());
                differences.add(waybill.deployed() - manualStart);
                statusDelays.add(waybill.statusDelay());
                lossDelay.add(waybill.lossDelay());
                manual.add(manualStart);
            }
            return List.of(
                    DeploymentBenchmarkContext.median("C1", "time from the request to DEPLOYED, minus a manual start",
                            differences,
                            Goal.AT_MOST, 1),
                    DeploymentBenchmarkContext.median("C1 hand",
                            "git clone --depth 1, process start and first healthy response by hand",
                            manual, Goal.NONE, 0),
                    DeploymentBenchmarkContext.median("C1 cold", "the first deployment, minus the first manual start",
                            List.of(cold),
                            Goal.NONE, 0),
                    DeploymentBenchmarkContext.median("C1 told",
                            "time from the first response of the application to the status DEPLOYED", statusDelays,
                            Goal.AT_MOST, 1),
                    DeploymentBenchmarkContext.median("C1 lost", "time from the end of the application to the status UNKNOWN",
                            lossDelay,
                            Goal.AT_MOST, 1));
        }
    }

    private Times deploy(String name, SourceRepository repository) {
        long startNanos = System.nanoTime();
        DeploymentResponse created = bench.create(name, repository);
        CompletableFuture<Double> served = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            DeploymentBenchmarkContext.await(() -> responds(URI.create(created.url())));
            served.complete(DeploymentBenchmarkContext.seconds(startNanos));
        });
        bench.awaitDeployed(created);
        double deployed = DeploymentBenchmarkContext.seconds(startNanos);
        double statusDelay = deployed - served.join();
        double lossDelay = crash(created);
        delete(created);
        return new Times(deployed, statusDelay, lossDelay);
    }

    private boolean responds(URI address) {
        try {
            bench.client().deployment(address).getOk();
            return true;
        } catch (WaybillException | UncheckedIOException _) {
            return false;
        }
    }

    private double crash(DeploymentResponse deployment) {
        UUID id = deployment.id();
        String revision = String.valueOf(deployment.latestRevisionId());
        ApplicationProcesses.of(bench.stack().applications().resolve(id.toString())).stream()
                .filter(process -> ApplicationProcesses.isProgramOf(process, revision))
                .forEach(ProcessHandle::destroyForcibly);
        long startNanos = System.nanoTime();
        DeploymentBenchmarkContext
                .await(() -> bench.controlPlane().getDeployment(id).status() == DeploymentStatus.UNKNOWN);
        return DeploymentBenchmarkContext.seconds(startNanos);
    }

    private void delete(DeploymentResponse deployment) {
        UUID id = deployment.id();
        bench.controlPlane().deleteDeployment(id);
        DeploymentBenchmarkContext.await(() -> !Files.exists(bench.stack().applications().resolve(id.toString())));
    }

    private double startManually(String name, SourceRepository repository) {
        Path clone = bench.folder().resolve("by-hand-" + name + "-" + System.nanoTime());
        long startNanos = System.nanoTime();
        clone(repository, clone);
        try (RuntimeProcess runtime = RuntimeProcess.start(bench.root(), clone, bench.folder().resolve("by-hand.log"),
                List.of(), Map.of())) {
            double seconds = DeploymentBenchmarkContext.seconds(startNanos);
            if (!runtime.isAlive()) {
                throw new IllegalStateException("the runtime has ended");
            }
            return seconds;
        }
    }

    private void clone(SourceRepository repository, Path folder) {
        try {
            Process git = new ProcessBuilder("git", "clone", "-q", "--depth", "1", repository.address(), folder.toString())
                    .inheritIO().start();
            if (git.waitFor() != 0) {
                throw new IllegalStateException("git clone ended with " + git.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * Times in seconds.
     *
     * @param statusDelay time from the first response to the status DEPLOYED
     * @param lossDelay time from the end of the process to the status UNKNOWN
     */
    private record Times(double deployed, double statusDelay, double lossDelay) {
    }
}
