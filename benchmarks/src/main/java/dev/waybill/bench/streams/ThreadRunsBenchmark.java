package dev.waybill.bench.streams;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.Goal;
import dev.waybill.bench.WarmUp;
import dev.waybill.bench.streams.ThreadDatabase.CpuParts;
import dev.waybill.local.runtime.RuntimeProcess;

/**
 * T1 and T2: runs of a LangGraph.js graph on threads, whose checkpoints are stored. T1 compares their CPU time with that of
 * runs without a thread on the same runtime, T2 their number per second with the public development server.
 */
final class ThreadRunsBenchmark {

    private static final List<Integer> CLIENTS = List.of(16, 64);
    /** A run of 22 events, as in S1 and S2. */
    private static final int TOKENS = 20;
    private static final int RUNS_PER_THREAD = 10;
    private static final Workload ON_THREADS = Workload.onThreads(TOKENS, RUNS_PER_THREAD);
    private static final Workload WITHOUT_THREAD = Workload.tokens(TOKENS, "");
    private static final double MAX_CPU_RATIO = 1.5;
    private static final int SLOTS = 3;
    private static final int REFERENCE_WARM_UP_SLOTS = 4;
    /** The default of the development server. */
    private static final int JOBS = 10;

    private final StreamBenchmarkContext bench;
    private final ThreadDatabase database;

    ThreadRunsBenchmark(StreamBenchmarkContext bench, ThreadDatabase database) {
        this.bench = bench;
        this.database = database;
    }

    List<BenchmarkResult> measure() {
        Path folder = DevServer.install(bench);
        try (RuntimeProcess runtime = bench.runtime(folder, List.of(), database.properties());
                DevServer reference = DevServer.start(bench, folder, JOBS)) {
            Supplier<CpuParts> cpu = () -> database.cpuParts(runtime);
            Supplier<CpuParts> referenceCpu = () -> new CpuParts(reference.cpu(), 0, 0);
            new WarmUp(runtime.pid(), bench.out()).untilCompiled(() -> {
                execute(runtime.address(), ON_THREADS, CLIENTS.getFirst());
                execute(runtime.address(), ON_THREADS, CLIENTS.getLast());
                execute(runtime.address(), WITHOUT_THREAD, CLIENTS.getFirst());
            });
            for (int slot = 0; slot < REFERENCE_WARM_UP_SLOTS; slot++) {
                measure(reference.address(), referenceCpu, ON_THREADS, CLIENTS.getFirst());
            }
            Map<Integer, List<Round>> rounds = new LinkedHashMap<>();
            for (int round = 0; round < bench.options().pairs(); round++) {
                for (int clients : CLIENTS) {
                    Round measured = new Round(measure(runtime.address(), cpu, ON_THREADS, clients),
                            measure(runtime.address(), cpu, WITHOUT_THREAD, clients),
                            measure(reference.address(), referenceCpu, ON_THREADS, clients));
                    bench.print(
                            "pair    %2d clients, runs/s and CPU ms per run: on threads %s; without %s; development server %s",
                            clients, measured.onThreads(), measured.withoutThread(), measured.reference());
                    rounds.computeIfAbsent(clients, key -> new ArrayList<>()).add(measured);
                }
            }
            List<BenchmarkResult> results = new ArrayList<>();
            rounds.forEach((clients, measured) -> results.addAll(results(clients, measured)));
            return results;
        }
    }

    private void execute(URI server, Workload workload, int count) {
        try (StreamClients clients = new StreamClients(server, count, workload)) {
            clients.runFor(bench.slot());
        }
    }

    private ServerResult measure(URI server, Supplier<CpuParts> cpu, Workload workload, int count) {
        try (StreamClients clients = new StreamClients(server, count, workload)) {
            CpuParts before = cpu.get();
            long startNanos = System.nanoTime();
            int runs = clients.runFor(bench.slot().multipliedBy(SLOTS)).size();
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            return new ServerResult(runs / seconds, cpu.get().perRun(before, runs));
        }
    }

    private static List<BenchmarkResult> results(int clients, List<Round> rounds) {
        String at = " (" + clients + " clients)";
        return List.of(
                BenchmarkResult.ofPairs("T1 " + clients,
                        "CPU of runtime, worker and PostgreSQL per run on a thread, over one without" + at,
                        rounds.stream()
                                .map(round -> new Pair(round.onThreads().cpu().total(), round.withoutThread().cpu().total()))
                                .toList(),
                        Pair::ratio, Goal.AT_MOST, MAX_CPU_RATIO),
                BenchmarkResult.ofPairs("T2 " + clients, "runs on threads per second, over the development server" + at,
                        rounds.stream().map(round -> new Pair(round.onThreads().rate(), round.reference().rate())).toList(),
                        Pair::ratio, Goal.AT_LEAST, 3),
                BenchmarkResult.ofPairs("T2 " + clients + " CPU", "CPU per run on a thread, over the development server" + at,
                        rounds.stream().map(round -> new Pair(round.onThreads().cpu().total(), round.reference().cpu().total()))
                                .toList(),
                        Pair::ratio, Goal.NONE, 0));
    }

    /**
     * Measurements of one server.
     *
     * @param rate runs per second
     * @param cpu milliseconds per run; of the development server in total
     */
    private record ServerResult(double rate, CpuParts cpu) {

        @Override
        public String toString() {
            return "%.1f and %s".formatted(rate, cpu);
        }
    }

    private record Round(ServerResult onThreads, ServerResult withoutThread, ServerResult reference) {
    }
}
