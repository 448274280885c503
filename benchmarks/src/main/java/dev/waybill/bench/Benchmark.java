package dev.waybill.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.waybill.bench.deployments.DeploymentBenchmarks;
import dev.waybill.bench.start.StartBenchmarks;
import dev.waybill.bench.streams.StreamBenchmarkContext;
import dev.waybill.bench.streams.StreamBenchmarks;
import dev.waybill.bench.streams.ThreadBenchmarks;
import dev.waybill.client.WaybillClients;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** Runs the benchmarks, prints a table and writes a result file. Missed goals are reported and do not fail the run. */
public final class Benchmark {

    /**
     * The order matters: intake starts with empty tables, and the last two benchmarks truncate the table that all others
     * share.
     */
    private static final List<BenchmarkCase<BenchmarkContext>> CASES = List.of(
            new BenchmarkCase<>("intake", bench -> new IntakeBenchmark(bench).measure()),
            new BenchmarkCase<>("U1", bench -> new UploadBenchmark(bench).measure()),
            new BenchmarkCase<>("comparison", bench -> new ComparisonBenchmark(bench).measure()),
            new BenchmarkCase<>("console", bench -> new ConsoleBenchmark(bench).measure()),
            new BenchmarkCase<>("console-lists", bench -> new ConsoleListsBenchmark(bench).measure()),
            new BenchmarkCase<>("clients", bench -> new ConcurrentClientsBenchmark(bench).measure()),
            new BenchmarkCase<>("P1", bench -> new LargeExportBenchmark(bench).measure()),
            new BenchmarkCase<>("P4", bench -> new NarrowExportBenchmark(bench).measure()),
            new BenchmarkCase<>("P9", bench -> new ReaderBenchmark(bench).measure()),
            new BenchmarkCase<>("P9npm", bench -> new NodeReaderBenchmark(bench).measure()),
            new BenchmarkCase<>("P8", bench -> new ParallelRunsBenchmark(bench).measure()),
            new BenchmarkCase<>("P10", bench -> new InterferenceBenchmark(bench).measure()),
            new BenchmarkCase<>("P5", bench -> new PartitionBenchmark(bench).measure()),
            new BenchmarkCase<>("P6", bench -> new MemoryBenchmark(bench).measure()),
            new BenchmarkCase<>("T1", bench -> ThreadBenchmarks.measureRuns(bench.streams(), bench.stack)),
            new BenchmarkCase<>("T3", bench -> ThreadBenchmarks.measureLargeState(bench.streams(), bench.stack)),
            new BenchmarkCase<>("cold", bench -> new ColdStartBenchmark(bench).measure()),
            new BenchmarkCase<>("P7", bench -> new SmallExportBenchmark(bench).measure()),
            new BenchmarkCase<>("lake", bench -> new LakeBenchmark(bench).measure()),
            new BenchmarkCase<>("rows", bench -> new ScalingBenchmark(bench).measure()));

    private Benchmark() {
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BenchmarkOptions options;
        try {
            options = BenchmarkOptions.parse(arguments);
        } catch (IllegalArgumentException _) {
            out.println(BenchmarkOptions.USAGE);
            System.exit(2);
            return;
        }
        Path root = Path.of(System.getProperty("waybill.root", "")).toAbsolutePath();
        Path folder = root.resolve("benchmarks/target/bench");
        Optional<BenchmarkLock> lock = BenchmarkLock.acquire(folder);
        if (lock.isEmpty()) {
            out.println("Another benchmark is running in this checkout; run a second one in a separate checkout.");
            System.exit(2);
        }
        try (BenchmarkLock _ = lock.orElseThrow()) {
            new BenchmarkReport(options, measure(root, folder, options, out)).publish(out, folder);
        }
    }

    private static List<BenchmarkResult> measure(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        // The runtime needs no stack, so its benchmarks run before the stack starts.
        List<BenchmarkResult> results = new ArrayList<>(
                StreamBenchmarks.measure(new StreamBenchmarkContext(root, folder, options, out)));
        results.addAll(DeploymentBenchmarks.measure(root, folder, options, out));
        results.addAll(StartBenchmarks.measure(root, folder, options, out));
        if (CASES.stream().anyMatch(measure -> options.includes(measure.name()))) {
            results.addAll(measureOnStack(root, folder, options, out));
        }
        return results;
    }

    private static List<BenchmarkResult> measureOnStack(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        HomeDirectory home = new HomeDirectory(folder.resolve("home"));
        Stack.stopOrphans(home);
        home.delete();
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free()).optimizingCompiler(true);
        List<BenchmarkResult> results;
        try (Stack stack = Stack.start(settings); WaybillClients client = WaybillClients.of(stack.secrets().apiKey())) {
            results = BenchmarkCase.runSelected(CASES, new BenchmarkContext(stack, client, options, root, folder, out), options,
                    out);
        }
        home.delete();
        return results;
    }
}
