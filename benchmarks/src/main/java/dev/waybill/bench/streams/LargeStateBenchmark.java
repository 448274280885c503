package dev.waybill.bench.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.Goal;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.StreamingClient;

/**
 * T3: the cost of a checkpoint whose state contains 1 MB that does not change, compared with one without. The cost of one
 * checkpoint is the difference between runs of many steps and runs of few, so that starting a run does not count.
 */
final class LargeStateBenchmark {

    private static final int LARGE = 1 << 20;
    private static final int SMALL = 16;
    private static final int FEW_STEPS = 2;
    private static final int MANY_STEPS = 22;
    private static final int RUNS = 20;
    private static final int WARM_UP_RUNS = 60;
    private static final double MAX_RATIO = 1.1;

    private final StreamBenchmarkContext bench;
    private final ThreadDatabase database;

    LargeStateBenchmark(StreamBenchmarkContext bench, ThreadDatabase database) {
        this.bench = bench;
        this.database = database;
    }

    List<BenchmarkResult> measure() {
        try (RuntimeProcess runtime = bench.runtime(application(), List.of(), database.properties());
                StreamingClient client = StreamingClient.connect(runtime.address())) {
            run(client, SMALL, MANY_STEPS, WARM_UP_RUNS);
            run(client, LARGE, MANY_STEPS, WARM_UP_RUNS);
            List<Pair> cpu = new ArrayList<>();
            List<Pair> bytes = new ArrayList<>();
            for (int round = 0; round < bench.options().pairs(); round++) {
                Cost large = checkpoint(runtime, client, LARGE);
                Cost small = checkpoint(runtime, client, SMALL);
                bench.print("pair    per checkpoint: with 1 MB that does not change %.2f ms, %.0f bytes; without %.2f ms, %.0f",
                        large.cpu(), large.bytes(), small.cpu(), small.bytes());
                cpu.add(new Pair(large.cpu(), small.cpu()));
                bytes.add(new Pair(large.bytes(), small.bytes()));
            }
            return List.of(
                    BenchmarkResult.ofPairs("T3", "bytes of a checkpoint with 1 MB that does not change, over one without",
                            bytes,
                            Pair::ratio, Goal.AT_MOST, MAX_RATIO),
                    BenchmarkResult.ofPairs("T3 CPU", "the same, CPU of runtime, worker and PostgreSQL", cpu, Pair::ratio,
                            Goal.NONE, 0));
        }
    }

    /** Copies the graph beside the packages that are installed for the development server. */
    private Path application() {
        Path folder = DevServer.install(bench).resolve("large-state");
        Path sources = bench.root().resolve("benchmarks/src/main/resources/bench/large-state");
        try {
            Files.createDirectories(folder);
            for (String name : List.of("agent.mjs", "langgraph.json")) {
                Files.copy(sources.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Cost checkpoint(RuntimeProcess runtime, StreamingClient client, int stateBytes) {
        Cost many = runs(runtime, client, stateBytes, MANY_STEPS);
        Cost few = runs(runtime, client, stateBytes, FEW_STEPS);
        double checkpoints = (double) RUNS * (MANY_STEPS - FEW_STEPS);
        return new Cost((many.cpu() - few.cpu()) / checkpoints, (many.bytes() - few.bytes()) / checkpoints);
    }

    private Cost runs(RuntimeProcess runtime, StreamingClient client, int stateBytes, int steps) {
        double cpu = database.cpu(runtime);
        long bytes = database.storedBytes();
        run(client, stateBytes, steps, RUNS);
        return new Cost((database.cpu(runtime) - cpu) * 1000, database.storedBytes() - bytes);
    }

    private static void run(StreamingClient client, int stateBytes, int steps, int runs) {
        byte[] body = ("{\"assistant_id\": \"agent\", \"if_not_exists\": \"create\", \"stream_mode\": \"custom\", \"input\": {\"bytes\": "
                + stateBytes + ", \"steps\": " + steps + "}}").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < runs; i++) {
            client.post("/threads/" + UUID.randomUUID() + "/runs/stream", body);
            for (var event = client.next(); event.isPresent(); event = client.next()) {
                if (event.get().name().equals("error")) {
                    throw new IllegalStateException("a run failed: " + event.get().data());
                }
            }
        }
    }

    /** @param cpu milliseconds */
    private record Cost(double cpu, double bytes) {
    }
}
