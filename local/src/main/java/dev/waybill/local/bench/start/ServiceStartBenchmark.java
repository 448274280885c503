package dev.waybill.local.bench.start;

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

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.container.ContainerGround;
import dev.waybill.local.container.Dockerfile;
import dev.waybill.local.container.Layout;
import dev.waybill.local.container.Started;
import dev.waybill.local.storage.FreePort;

/**
 * From the start of the process to the first answer that the service is ready, with a database whose migrations have run, and
 * the memory of a service that nobody has asked anything else: on the JVM with its image's AOT cache and without it, and
 * native.
 */
final class ServiceStartBenchmark {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration REST = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final int MOST_PAIRS = 3;

    private final StartBenchmarkContext bench;
    private final Map<String, List<Seen>> seen = new HashMap<>();

    /** What is told from one start. */
    private record Seen(double seconds, double cpu, double memory) {
    }

    /** How a service is started. */
    private enum Flavour {

        JVM("on the JVM"),
        CACHE("with the AOT cache"),
        NATIVE("native");

        private final String words;

        Flavour(String words) {
            this.words = words;
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
        for (String service : ContainerGround.SERVICES) {
            // Its migrations run, and its files are read once.
            start(service, Flavour.JVM);
        }
        for (int round = 0; round < Math.min(MOST_PAIRS, bench.options.pairs()); round++) {
            for (String service : ContainerGround.SERVICES) {
                for (Flavour flavour : Flavour.values()) {
                    if (bench.isBuilt(flavour.image(service))) {
                        seen.computeIfAbsent(service + flavour, _ -> new ArrayList<>()).add(start(service, flavour));
                    }
                }
            }
        }
        return ContainerGround.SERVICES.stream().flatMap(service -> figures(service).stream()).toList();
    }

    private List<BenchmarkResult> figures(String service) {
        List<BenchmarkResult> figures = new ArrayList<>();
        List<Seen> plain = seen.getOrDefault(service + Flavour.JVM, List.of());
        List<Seen> cached = seen.getOrDefault(service + Flavour.CACHE, List.of());
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            pairs.add(new Pair(cached.get(i).cpu(), plain.get(i).cpu()));
        }
        figures.add(BenchmarkResult.ofPairs("start", service + ": CPU of a start with the AOT cache over without", pairs, Pair::ratio,
                Goal.NONE, 0));
        for (Flavour flavour : Flavour.values()) {
            List<Seen> starts = seen.getOrDefault(service + flavour, List.of());
            if (starts.isEmpty()) {
                figures.add(BenchmarkResult.absent("start", service + " " + flavour.words + ": not built"));
                continue;
            }
            figures.add(figure(service + " " + flavour.words + ", to the first answer", "s",
                    starts.stream().map(Seen::seconds).toList()));
            figures.add(
                    figure(service + " " + flavour.words + ", CPU until then", "s", starts.stream().map(Seen::cpu).toList()));
            figures.add(figure(service + " " + flavour.words + ", memory at rest", "MiB",
                    starts.stream().map(Seen::memory).toList()));
        }
        return figures;
    }

    private static BenchmarkResult figure(String what, String unit, List<Double> values) {
        return BenchmarkResult.ofValues("start", what, unit, values, 0.5, Goal.NONE, 0);
    }

    private Seen start(String service, Flavour flavour) {
        Dockerfile dockerfile = bench.dockerfile(flavour.image(service));
        Layout layout = bench.layout(flavour.image(service));
        int port = FreePort.find();
        Path volume = bench.ground.volume(service);
        Map<String, String> environment = bench.ground.environment(service, volume, port);
        if (service.equals("deployment-runtime")) {
            environment.put("WAYBILL_RUNTIME_DIRECTORY", bench.ground.application("node").toString());
        }
        String user = dockerfile.image().last("USER").orElseThrow().text();
        HttpRequest question = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/q/health/ready"))
                .timeout(LIMIT).build();
        long began = System.nanoTime();
        try (HttpClient client = HttpClient.newHttpClient();
                Started started = Started.as(user, flavour.command(dockerfile), layout.directory(), environment,
                        bench.log(service + "-" + flavour))) {
            while (!isReady(client, question)) {
                if (!started.isAlive() || System.nanoTime() - began > LIMIT.toNanos()) {
                    throw new IllegalStateException(service + " " + flavour.words + " does not get ready");
                }
                Thread.sleep(LOOK);
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            double cpu = CpuTime.of(started.pid());
            Thread.sleep(REST);
            double memory = CpuTime.memory(started.pid()) / (1024.0 * 1024);
            started.end();
            bench.say("start   %-20s %-18s %6.2f s, %5.2f s of CPU, %4.0f MiB", service, flavour.words, seconds, cpu, memory);
            return new Seen(seconds, cpu, memory);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static boolean isReady(HttpClient client, HttpRequest question) throws InterruptedException {
        try {
            return client.send(question, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }
}
