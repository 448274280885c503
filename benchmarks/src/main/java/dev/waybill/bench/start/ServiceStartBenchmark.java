package dev.waybill.bench.start;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.Goal;
import dev.waybill.local.container.ContainerEnvironment;
import dev.waybill.local.container.Dockerfile;
import dev.waybill.local.container.ImageLayout;
import dev.waybill.local.container.ImageProcess;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.storage.FreePort;

/**
 * Measures the time from process start to readiness with a migrated database, and the memory of the idle service: on
 * the JVM with and without the image's AOT cache, and native.
 */
final class ServiceStartBenchmark {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Duration IDLE_TIME = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final int MAX_ROUNDS = 3;

    private final StartBenchmarkContext bench;
    private final Map<String, List<StartResult>> starts = new HashMap<>();

    /** Measurements of one start. */
    private record StartResult(double seconds, double cpu, double memory) {
    }

    /** Variant of a service's process. */
    private enum Variant {

        JVM("on the JVM"),
        CACHE("with the AOT cache"),
        NATIVE("native");

        private final String description;

        Variant(String description) {
            this.description = description;
        }

        Image image(String service) {
            return new Image(service, this == NATIVE);
        }

        List<String> command(Dockerfile dockerfile) {
            List<String> command = new ArrayList<>(dockerfile.command());
            if (this == JVM) {
                command.removeIf(word -> word.startsWith("-XX:AOTCache="));
            }
            return command;
        }
    }

    ServiceStartBenchmark(StartBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        for (String service : ContainerEnvironment.SERVICES) {
            // Runs the migrations and fills the file cache.
            start(service, Variant.JVM);
        }
        for (int round = 0; round < Math.min(MAX_ROUNDS, bench.options.pairs()); round++) {
            for (String service : ContainerEnvironment.SERVICES) {
                for (Variant variant : Variant.values()) {
                    if (bench.isBuilt(variant.image(service))) {
                        starts.computeIfAbsent(service + variant, _ -> new ArrayList<>()).add(start(service, variant));
                    }
                }
            }
        }
        return ContainerEnvironment.SERVICES.stream().flatMap(service -> results(service).stream()).toList();
    }

    private List<BenchmarkResult> results(String service) {
        List<BenchmarkResult> results = new ArrayList<>();
        List<StartResult> plain = starts.getOrDefault(service + Variant.JVM, List.of());
        List<StartResult> cached = starts.getOrDefault(service + Variant.CACHE, List.of());
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            pairs.add(new Pair(cached.get(i).cpu(), plain.get(i).cpu()));
        }
        results.add(BenchmarkResult.ofPairs("start", service + ": CPU of a start with the AOT cache over without", pairs,
                Pair::ratio,
                Goal.NONE, 0));
        for (Variant variant : Variant.values()) {
            List<StartResult> measured = starts.getOrDefault(service + variant, List.of());
            if (measured.isEmpty()) {
                results.add(BenchmarkResult.notApplicable("start", service + " " + variant.description + ": not built"));
                continue;
            }
            results.add(result(service + " " + variant.description + ", time to readiness", "s",
                    measured.stream().map(StartResult::seconds).toList()));
            results.add(
                    result(service + " " + variant.description + ", CPU until readiness", "s",
                            measured.stream().map(StartResult::cpu).toList()));
            results.add(result(service + " " + variant.description + ", idle memory", "MiB",
                    measured.stream().map(StartResult::memory).toList()));
        }
        return results;
    }

    private static BenchmarkResult result(String description, String unit, List<Double> values) {
        return BenchmarkResult.ofValues("start", description, unit, values, 0.5, Goal.NONE, 0);
    }

    private StartResult start(String service, Variant variant) {
        Dockerfile dockerfile = bench.dockerfile(variant.image(service));
        ImageLayout layout = bench.layout(variant.image(service));
        int port = FreePort.find();
        Path volume = bench.ground.volume(service);
        Map<String, String> environment = bench.ground.variables(service, volume, port);
        if (service.equals("deployment-runtime")) {
            environment.put("WAYBILL_RUNTIME_DIRECTORY", bench.ground.application("node").toString());
        }
        String user = dockerfile.image().last("USER").orElseThrow().text();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/q/health/ready"))
                .timeout(TIMEOUT).build();
        long startNanos = System.nanoTime();
        try (HttpClient client = HttpClient.newHttpClient();
                ImageProcess started = ImageProcess.start(user, variant.command(dockerfile), layout.directory(), environment,
                        bench.log(service + "-" + variant))) {
            while (!isReady(client, request)) {
                if (!started.isAlive() || System.nanoTime() - startNanos > TIMEOUT.toNanos()) {
                    throw new IllegalStateException(service + " " + variant.description + " did not become ready");
                }
                Thread.sleep(POLL_INTERVAL);
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            double cpu = CpuTime.of(started.pid());
            Thread.sleep(IDLE_TIME);
            double memory = CpuTime.memory(started.pid()) / (1024.0 * 1024);
            started.stop();
            bench.print("start   %-20s %-18s %6.2f s, %5.2f s of CPU, %4.0f MiB", service, variant.description, seconds, cpu,
                    memory);
            return new StartResult(seconds, cpu, memory);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static boolean isReady(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }
}
