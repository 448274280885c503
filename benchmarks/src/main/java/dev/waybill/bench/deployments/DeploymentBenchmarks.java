package dev.waybill.bench.deployments;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import dev.waybill.bench.BenchmarkCase;
import dev.waybill.bench.BenchmarkOptions;
import dev.waybill.bench.BenchmarkResult;
import dev.waybill.client.WaybillClients;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** Runs the deployment benchmarks. */
public final class DeploymentBenchmarks {

    private static final List<BenchmarkCase<DeploymentBenchmarkContext>> CASES = List.of(
            new BenchmarkCase<>("C1", bench -> new DeploymentTimeBenchmark(bench).measure()),
            new BenchmarkCase<>("C2", bench -> new IdleDeploymentsBenchmark(bench).measure()));

    private DeploymentBenchmarks() {
    }

    /** Runs the selected benchmarks on a separate stack without other load. */
    public static List<BenchmarkResult> measure(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        if (CASES.stream().noneMatch(measure -> options.includes(measure.name()))) {
            return List.of();
        }
        HomeDirectory home = new HomeDirectory(folder.resolve("home"));
        Stack.stopOrphans(home);
        home.delete();
        List<BenchmarkResult> results;
        try (Stack stack = Stack.start(StackSettings.of(root, home).ports(Ports.free()).optimizingCompiler(true));
                WaybillClients client = WaybillClients.of(stack.secrets().apiKey())) {
            results = BenchmarkCase.runSelected(CASES,
                    new DeploymentBenchmarkContext(root, folder, stack, client, options, out), options, out);
        }
        home.delete();
        return results;
    }
}
