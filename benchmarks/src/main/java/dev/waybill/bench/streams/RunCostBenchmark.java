package dev.waybill.bench.streams;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.Goal;
import dev.waybill.bench.streams.BaselineServer.WriteMode;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;
import dev.waybill.local.stack.CpuTime;

/**
 * S1: compares the CPU time of a run of 22 events with sending the same events from memory, either together in one
 * packet or each in a separate event-loop iteration, as a server sends events that are created one after the other.
 */
final class RunCostBenchmark {

    private static final List<Integer> CLIENTS = List.of(1, 16, 64, 512);
    /** A run with 22 events, including metadata and end. */
    private static final Workload RUN = Workload.tokens(20, "");
    private static final int EVENTS = 22;
    private static final int WARM_UP = 64;
    /** JIT compilation takes about 100,000 runs. */
    private static final int WARM_UP_RUNS = 150_000;
    private static final int WARM_UP_SLOTS = 30;

    private final StreamBenchmarkContext bench;

    RunCostBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Path recording = bench.folder().resolve("run.json").toAbsolutePath();
        try (RuntimeProcess runtime = bench.sample(List.of(), Map.of())) {
            record(runtime.address(), recording);
            try (BaselineServer vertx = BaselineServer.vertx(bench, recording, WriteMode.TOGETHER);
                    BaselineServer node = BaselineServer.node(bench, recording, WriteMode.TOGETHER);
                    BaselineServer vertxSeparate = BaselineServer.vertx(bench, recording, WriteMode.SEPARATE);
                    BaselineServer nodeSeparate = BaselineServer.node(bench, recording, WriteMode.SEPARATE)) {
                return measure(runtime,
                        Map.of(Baseline.VERTX, vertx, Baseline.NODE, node, Baseline.VERTX_SEPARATE, vertxSeparate,
                                Baseline.NODE_SEPARATE, nodeSeparate));
            }
        }
    }

    private static void record(URI runtime, Path recording) {
        List<ServerEvent> events = new ArrayList<>();
        try (StreamingClient client = StreamingClient.connect(runtime)) {
            RUN.run(client, events::add);
        }
        if (events.size() != EVENTS) {
            throw new IllegalStateException("a run has " + events.size() + " events");
        }
        RecordedEvents.write(events, recording);
    }

    private List<BenchmarkResult> measure(RuntimeProcess runtime, Map<Baseline, BaselineServer> baselines) {
        List<URI> addresses = new ArrayList<>(List.of(runtime.address()));
        baselines.values().forEach(baseline -> addresses.add(baseline.address()));
        addresses.forEach(this::warmUp);
        List<Long> runtimeAndWorker = new ArrayList<>(List.of(runtime.pid()));
        runtimeAndWorker.addAll(runtime.workers());
        Map<Integer, List<Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < bench.options().pairs(); round++) {
            for (int clients : CLIENTS) {
                Map<Baseline, Double> reference = new EnumMap<>(Baseline.class);
                Cost waybill = cost(runtime.address(), runtimeAndWorker, clients);
                for (Baseline baseline : Baseline.values()) {
                    BaselineServer server = Objects.requireNonNull(baselines.get(baseline));
                    reference.put(baseline, cost(server.address(), List.of(server.pid()), clients).server());
                }
                Round measured = new Round(waybill, reference);
                bench.print(
                        "pair    %3d clients: CPU per run: runtime %.0f us, worker %.0f; baseline Vert.x %.0f, Node %.0f;"
                                + " with an iteration per event %.0f, %.0f",
                        clients, waybill.server(), waybill.worker(),
                        measured.of(Baseline.VERTX), measured.of(Baseline.NODE), measured.of(Baseline.VERTX_SEPARATE),
                        measured.of(Baseline.NODE_SEPARATE));
                rounds.computeIfAbsent(clients, key -> new ArrayList<>()).add(measured);
            }
        }
        List<BenchmarkResult> results = new ArrayList<>();
        rounds.forEach((clients, measured) -> results.addAll(results(clients, measured)));
        return results;
    }

    private void warmUp(URI server) {
        try (StreamClients clients = new StreamClients(server, WARM_UP, RUN)) {
            int runs = 0;
            for (int slot = 0; slot < WARM_UP_SLOTS && runs < WARM_UP_RUNS; slot++) {
                runs += clients.runFor(bench.slot()).size();
            }
            bench.print("warm-up %,d runs at %s", runs, server);
        }
    }

    /** @param processes the server, followed by its workers */
    private Cost cost(URI server, List<Long> processes, int count) {
        try (StreamClients clients = new StreamClients(server, count, RUN)) {
            List<Double> before = processes.stream().map(CpuTime::of).toList();
            int runs = clients.runFor(bench.slot()).size();
            List<Double> perRun = new ArrayList<>();
            for (int i = 0; i < before.size(); i++) {
                perRun.add((CpuTime.of(processes.get(i)) - before.get(i)) * 1e6 / runs);
            }
            return new Cost(perRun.getFirst(), perRun.stream().skip(1).mapToDouble(Double::doubleValue).sum());
        }
    }

    private static List<BenchmarkResult> results(int clients, List<Round> rounds) {
        String name = "S1 " + clients;
        String at = " (" + clients + " clients)";
        return List.of(
                over(Baseline.VERTX, name, "the runtime's CPU per run of 22 events, over baseline Vert.x" + at, rounds),
                over(Baseline.NODE, name + " node", "the same over baseline Node" + at, rounds),
                over(Baseline.VERTX_SEPARATE, name + " turns",
                        "over baseline Vert.x with an event-loop iteration per event" + at, rounds),
                over(Baseline.NODE_SEPARATE, name + " node turns",
                        "over baseline Node with an event-loop iteration per event" + at, rounds),
                BenchmarkResult.ofPairs(name + " all", "with the worker's CPU, over baseline Vert.x" + at,
                        pairs(rounds,
                                round -> new Pair(round.waybill().server() + round.waybill().worker(),
                                        round.of(Baseline.VERTX))),
                        Pair::ratio, Goal.NONE, 0),
                micros(name + " run", "the runtime's CPU per run" + at, rounds.stream().map(round -> round.waybill().server())
                        .toList()),
                micros(name + " work", "the worker's CPU per run" + at,
                        rounds.stream().map(round -> round.waybill().worker()).toList()));
    }

    private static BenchmarkResult over(Baseline baseline, String name, String description, List<Round> rounds) {
        return BenchmarkResult.ofPairs(name, description,
                pairs(rounds, round -> new Pair(round.waybill().server(), round.of(baseline))),
                Pair::ratio, Goal.AT_MOST, baseline.limit);
    }

    private static BenchmarkResult micros(String name, String description, List<Double> values) {
        return BenchmarkResult.ofValues(name, description, "us", values, 0.5, Goal.NONE, 0);
    }

    private static List<Pair> pairs(List<Round> rounds, Function<Round, Pair> pair) {
        return rounds.stream().map(pair).toList();
    }

    /** Baseline servers; all are running during the measurement, and one is loaded at a time. */
    private enum Baseline {
        VERTX(1.5),
        NODE(2),
        VERTX_SEPARATE(1.5),
        NODE_SEPARATE(2);

        private final double limit;

        Baseline(double limit) {
            this.limit = limit;
        }
    }

    /** Microseconds of CPU per run. */
    private record Cost(double server, double worker) {
    }

    private record Round(Cost waybill, Map<Baseline, Double> reference) {

        double of(Baseline baseline) {
            return Objects.requireNonNull(reference.get(baseline));
        }
    }
}
