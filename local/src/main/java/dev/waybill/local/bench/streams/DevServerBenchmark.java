package dev.waybill.local.bench.streams;

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

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.RuntimeProcess;

/** S2: the same LangGraph.js graph behind our runtime and behind the public development server, asked by the same clients. */
final class DevServerBenchmark {

    private static final List<Integer> CLIENTS = List.of(16, 64);
    private static final Workload RUN = Workload.tokens(20, "");
    private static final double THIRD = 1.0 / 3;
    private static final int SLOTS = 3;
    /** As it is when nobody says anything. */
    private static final int JOBS = 10;

    private final StreamBenchmarkContext bench;

    DevServerBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Path folder = DevServer.install(bench);
        try (RuntimeProcess ours = bench.runtime(folder, List.of(), Map.of());
                RuntimeProcess two = bench.runtime(folder, List.of(), Map.of("waybill.runtime.worker.processes", "2"));
                DevServer theirs = DevServer.start(bench, folder, JOBS)) {
            warmUp(ours.address(), two.address(), theirs.address());
            Map<Integer, List<Round>> rounds = new LinkedHashMap<>();
            for (int round = 0; round < bench.options().pairs(); round++) {
                for (int clients : CLIENTS) {
                    Round measured = new Round(serve(ours.address(), () -> cpu(ours), clients),
                            serve(two.address(), () -> cpu(two), clients), serve(theirs.address(), theirs::cpu, clients));
                    bench.say("pair    %2d clients: our runtime %s; with two workers %s; the development server %s", clients,
                            measured.ours(), measured.two(), measured.theirs());
                    rounds.computeIfAbsent(clients, key -> new ArrayList<>()).add(measured);
                }
            }
            List<BenchmarkResult> figures = new ArrayList<>();
            rounds.forEach((clients, measured) -> figures.addAll(figures(clients, measured)));
            return figures;
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

    private Served serve(URI server, DoubleSupplier cpu, int count) {
        try (StreamClients clients = new StreamClients(server, count, RUN)) {
            double used = cpu.getAsDouble();
            long began = System.nanoTime();
            List<RunTimes> runs = clients.runFor(bench.slot().multipliedBy(SLOTS));
            double seconds = (System.nanoTime() - began) / 1e9;
            return new Served(runs.size() / seconds, StreamClients.p99(runs, RunTimes::firstEvent),
                    StreamClients.p99(runs, RunTimes::firstPiece), (cpu.getAsDouble() - used) * 1000 / runs.size());
        }
    }

    private static List<BenchmarkResult> figures(int clients, List<Round> rounds) {
        String name = "S2 " + clients;
        String at = " (" + clients + " clients)";
        return List.of(
                figure(name, "runs of a LangGraph.js graph a second, over the development server's" + at, rounds, Round::ours,
                        Served::rate, Goal.AT_LEAST, 3),
                figure(name + " two", "the same with two workers for the graph" + at, rounds, Round::two, Served::rate,
                        Goal.AT_LEAST, 3),
                figure(name + " p99", "p99 of the time to the first event, over its" + at, rounds, Round::ours,
                        Served::firstEvent, Goal.AT_MOST, THIRD),
                figure(name + " p99 two", "the same with two workers" + at, rounds, Round::two, Served::firstEvent,
                        Goal.AT_MOST,
                        THIRD),
                figure(name + " said", "p99 of the time to the first piece of the answer, over its" + at, rounds, Round::ours,
                        Served::firstPiece, Goal.NONE, 0),
                figure(name + " said two", "the same with two workers" + at, rounds, Round::two, Served::firstPiece, Goal.NONE,
                        0),
                figure(name + " CPU", "CPU per run with the graph's own, over its" + at, rounds, Round::ours, Served::cpu,
                        Goal.NONE, 0));
    }

    private static BenchmarkResult figure(String name, String what, List<Round> rounds, Function<Round, Served> ours,
            ToDoubleFunction<Served> value, Goal goal, double limit) {
        List<Pair> pairs = rounds.stream()
                .map(round -> new Pair(value.applyAsDouble(ours.apply(round)), value.applyAsDouble(round.theirs()))).toList();
        return BenchmarkResult.ofPairs(name, what, pairs, Pair::ratio, goal, limit);
    }

    /**
     * How a server did.
     *
     * @param rate runs a second
     * @param firstEvent p99 in milliseconds
     * @param firstPiece p99 in milliseconds
     * @param cpu milliseconds a run
     */
    private record Served(double rate, double firstEvent, double firstPiece, double cpu) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f runs/s, p99 of first event %.0f ms, of first piece %.0f ms, CPU %.1f ms",
                    rate, firstEvent, firstPiece, cpu);
        }
    }

    /** @param two ours, with two workers for the graph */
    private record Round(Served ours, Served two, Served theirs) {
    }
}
