package dev.waybill.local.bench.deployments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.ApplicationProcesses;
import dev.waybill.local.tour.SourceRepository;

/** C1: from the order to DEPLOYED, beside the same by hand; and how soon what happens is told. */
final class DeploymentTimeBenchmark {

    private final DeploymentBenchmarkContext bench;

    DeploymentTimeBenchmark(DeploymentBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        List<Double> more = new ArrayList<>();
        List<Double> seen = new ArrayList<>();
        List<Double> lost = new ArrayList<>();
        List<Double> hands = new ArrayList<>();
        try (SourceRepository repository = bench.sample()) {
            String integration = bench.integration(repository);
            double cold = deploy("cold", repository, integration).deployed() - byHand("cold", repository);
            for (int round = 0; round < bench.options().pairs(); round++) {
                Times ours = deploy("round-" + round, repository, integration);
                double hand = byHand("round-" + round, repository);
                bench.say("pair    deployed after %.2f s, by hand %.2f s; told %.3f s after it served, %.3f s after it crashed",
                        ours.deployed(), hand, ours.told(), ours.lost());
                more.add(ours.deployed() - hand);
                seen.add(ours.told());
                lost.add(ours.lost());
                hands.add(hand);
            }
            return List.of(
                    DeploymentBenchmarkContext.median("C1", "from the order of the sample to DEPLOYED, less the same by hand", more,
                            Goal.AT_MOST, 1),
                    DeploymentBenchmarkContext.median("C1 hand", "git clone --depth 1, process start and first healthy answer by hand",
                            hands, Goal.NONE, 0),
                    DeploymentBenchmarkContext.median("C1 cold", "the first deployment of all, less the first by hand", List.of(cold),
                            Goal.NONE, 0),
                    DeploymentBenchmarkContext.median("C1 told", "from the first answer of the application to DEPLOYED being told", seen,
                            Goal.AT_MOST, 1),
                    DeploymentBenchmarkContext.median("C1 lost", "from the end of the application to UNKNOWN being told", lost,
                            Goal.AT_MOST, 1));
        }
    }

    private Times deploy(String name, SourceRepository repository, String integration) {
        long began = System.nanoTime();
        JsonNode made = bench.create(name, repository, integration);
        CompletableFuture<Double> served = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            DeploymentBenchmarkContext.await(() -> answers(URI.create(made.required("url").textValue()).resolve("/ok")));
            served.complete(DeploymentBenchmarkContext.seconds(began));
        });
        bench.awaitDeployed(made);
        double deployed = DeploymentBenchmarkContext.seconds(began);
        double told = deployed - served.join();
        double lost = crash(made);
        delete(made);
        return new Times(deployed, told, lost);
    }

    private boolean answers(URI address) {
        try {
            bench.client().get(address);
            return true;
        } catch (WaybillException | UncheckedIOException _) {
            return false;
        }
    }

    private double crash(JsonNode deployment) {
        String id = deployment.required("id").textValue();
        String revision = deployment.required("latest_revision_id").textValue();
        ApplicationProcesses.of(bench.stack().applications().resolve(id)).stream()
                .filter(process -> ApplicationProcesses.isProgramOf(process, revision))
                .forEach(ProcessHandle::destroyForcibly);
        long began = System.nanoTime();
        DeploymentBenchmarkContext.await(() -> bench.client().get(bench.at("/v2/deployments/" + id)).required("status").textValue()
                .equals("UNKNOWN"));
        return DeploymentBenchmarkContext.seconds(began);
    }

    private void delete(JsonNode deployment) {
        String id = deployment.required("id").textValue();
        bench.client().delete(bench.at("/v2/deployments/" + id));
        DeploymentBenchmarkContext.await(() -> !Files.exists(bench.stack().applications().resolve(id)));
    }

    private double byHand(String name, SourceRepository repository) {
        Path clone = bench.folder().resolve("by-hand-" + name + "-" + System.nanoTime());
        long began = System.nanoTime();
        clone(repository, clone);
        try (RuntimeProcess runtime = RuntimeProcess.start(bench.root(), clone, bench.folder().resolve("by-hand.log"),
                List.of(), Map.of())) {
            double seconds = DeploymentBenchmarkContext.seconds(began);
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
     * Seconds.
     *
     * @param told from the first answer on
     * @param lost from the end of the process on
     */
    private record Times(double deployed, double told, double lost) {
    }
}
