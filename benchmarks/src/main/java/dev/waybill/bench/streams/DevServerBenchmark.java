package dev.waybill.bench.streams;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.Goal;
import dev.waybill.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.CpuTime;

/** S2: compares the runtime with the public development server on the same LangGraph.js graph with the same clients. */
final class DevServerBenchmark {

    private static final List<Integer> CLIENTS = List.of(16, 64);
    private static final Workload RUN = Workload.tokens(20, "");
    private static final double THIRD = 1.0 / 3;
    private static final int SLOTS = 3;
    /** The default of the development server. */
    private static final int JOBS = 10;

    private final StreamBenchmarkContext bench;

    DevServerBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Path folder = DevServer.install(bench);
        try (RuntimeProcess waybill = bench.runtime(folder, List.of(), Map.of());
                RuntimeProcess twoWorkers = bench.runtime(folder, List.of(), Map.of("waybill.runtime.worker.processes", "2"));
                DevServer reference = DevServer.start(bench, folder, JOBS)) {
            warmUp(waybill.address(), twoWorkers.address(), reference.address());
            Map<Integer, List<Round>> rounds = new LinkedHashMap<>();
            for (int round = 0; round < bench.options().pairs(); round++) {
                for (int clients : CLIENTS) {
                    Round measured = new Round(measureServer(waybill.address(), () -> cpu(waybill), clients),
                            measureServer(twoWorkers.address(), () -> cpu(twoWorkers), clients),
                            measureServer(reference.address(), reference::cpu, clients));
                    bench.print("pair    %2d clients: Waybill %s; with two workers %s; the development server %s", clients,
                            measured.waybill(), measured.twoWorkers(), measured.reference());
                    rounds.computeIfAbsent(clients, key -> new ArrayList<>()).add(measured);
                }
            }
            List<BenchmarkResult> results = new ArrayList<>();
            rounds.forEach((clients, measured) -> results.addAll(results(clients, measured)));
            return results;
        }
    }

    private static double cpu(RuntimeProcess runtime) {
        return CpuTime.of(runtime.pid()) + runtime.workers().stream().mapToDouble(CpuTime::of).sum();
    }

    private void warmUp(URI... servers) {
        for (URI server : servers) {
            try (StreamClients clients = new StreamClients(server, CLIENTS.getFirst(), RUN)) {
                clients.runFor(bench.slot().multipliedBy(SLOTS));
            }
        }
    }

    private ServerResult measureServer(URI server, DoubleSupplier cpu, int count) {
        try (StreamClients clients = new StreamClients(server, count, RUN)) {
            double used = cpu.getAsDouble();
            long startNanos = System.nanoTime();
            List<RunTimes> runs = clients.runFor(bench.slot().multipliedBy(SLOTS));
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            return new ServerResult(runs.size() / seconds, StreamClients.p99(runs, RunTimes::firstEvent),
                    StreamClients.p99(runs, RunTimes::firstMessage), (cpu.getAsDouble() - used) * 1000 / runs.size());
        }
    }

    private static List<BenchmarkResult> results(int clients, List<Round> rounds) {
        String name = "S2 " + clients;
        String at = " (" + clients + " clients)";
        return List.of(
                result(name, "runs of a LangGraph.js graph per second, over the development server" + at, rounds,
                        Round::waybill,
                        ServerResult::rate, Goal.AT_LEAST, 3),
                result(name + " two", "the same with two workers for the graph" + at, rounds, Round::twoWorkers,
                        ServerResult::rate,
                        Goal.AT_LEAST, 3),
                result(name + " p99", "p99 of the time to the first event, over the development server" + at, rounds,
                        Round::waybill,
                        ServerResult::firstEvent, Goal.AT_MOST, THIRD),
                result(name + " p99 two", "the same with two workers" + at, rounds, Round::twoWorkers, ServerResult::firstEvent,
                        Goal.AT_MOST,
                        THIRD),
                result(name + " said", "p99 of the time to the first message, over the development server" + at, rounds,
                        Round::waybill,
                        ServerResult::firstMessage, Goal.NONE, 0),
                result(name + " said two", "the same with two workers" + at, rounds, Round::twoWorkers,
                        ServerResult::firstMessage, Goal.NONE,
                        0),
                result(name + " CPU", "CPU per run including the graph, over the development server" + at, rounds,
                        Round::waybill, ServerResult::cpu,
                        Goal.NONE, 0));
    }

    private static BenchmarkResult result(String name, String description, List<Round> rounds,
            Function<Round, ServerResult> waybill,
            ToDoubleFunction<ServerResult> value, Goal goal, double limit) {
        List<Pair> pairs = rounds.stream()
                .map(round -> new Pair(value.applyAsDouble(waybill.apply(round)), value.applyAsDouble(round.reference())))
                .toList();
        return BenchmarkResult.ofPairs(name, description, pairs, Pair::ratio, goal, limit);
    }

    /**
     * Measurements of one server.
     *
     * @param rate runs per second
     * @param firstEvent p99 in milliseconds
     * @param firstMessage p99 in milliseconds
     * @param cpu milliseconds per run
     */
    private record ServerResult(double rate, double firstEvent, double firstMessage, double cpu) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f runs/s, p99 of first event %.0f ms, of first message %.0f ms, CPU %.1f ms",
                    rate, firstEvent, firstMessage, cpu);
        }
    }

    /** @param twoWorkers Waybill with two workers for the graph */
    private record Round(ServerResult waybill, ServerResult twoWorkers, ServerResult reference) {
    }
}
