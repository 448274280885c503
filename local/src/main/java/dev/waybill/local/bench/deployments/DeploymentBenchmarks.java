package dev.waybill.local.bench.deployments;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import dev.waybill.local.bench.BenchmarkOptions;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.BenchmarkCase;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** The measures of deployments. */
public final class DeploymentBenchmarks {

    private static final List<BenchmarkCase<DeploymentBenchmarkContext>> MEASURES = List.of(
            new BenchmarkCase<>("C1", bench -> new DeploymentTimeBenchmark(bench).measure()),
            new BenchmarkCase<>("C2", bench -> new IdleDeploymentsBenchmark(bench).measure()));

    private DeploymentBenchmarks() {
    }

    /** On a stack of their own: what many deployments at rest take is measured where nothing else is asked for. */
    public static List<BenchmarkResult> measure(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        if (MEASURES.stream().noneMatch(measure -> options.wants(measure.name()))) {
            return List.of();
        }
        Home home = new Home(folder.resolve("home"));
        Stack.endLeftOvers(home);
        home.forget();
        List<BenchmarkResult> figures;
        try (Stack stack = Stack.start(StackSettings.of(root, home).ports(Ports.free()).fullSpeed(true));
                WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            figures = BenchmarkCase.all(MEASURES, new DeploymentBenchmarkContext(root, folder, stack, client, options, out), options, out);
        }
        home.forget();
        return figures;
    }
}
