package dev.waybill.local.bench.deployments;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import dev.waybill.local.bench.BenchmarkOptions;
import dev.waybill.local.bench.Figure;
import dev.waybill.local.bench.Measure;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** The measures of deployments. */
public final class Deployments {

    private static final List<Measure<DeploymentBench>> MEASURES = List.of(
            new Measure<>("C1", bench -> new TimeToDeployed(bench).measure()),
            new Measure<>("C2", bench -> new AtRest(bench).measure()));

    private Deployments() {
    }

    /** On a stack of their own: what many deployments at rest take is measured where nothing else is asked for. */
    public static List<Figure> measure(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        if (MEASURES.stream().noneMatch(measure -> options.wants(measure.name()))) {
            return List.of();
        }
        Home home = new Home(folder.resolve("home"));
        Stack.endLeftOvers(home);
        home.forget();
        List<Figure> figures;
        try (Stack stack = Stack.start(StackSettings.of(root, home).ports(Ports.free()).fullSpeed(true));
                WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            figures = Measure.all(MEASURES, new DeploymentBench(root, folder, stack, client, options, out), options, out);
        }
        home.forget();
        return figures;
    }
}
