package dev.waybill.local.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.waybill.local.bench.deployments.Deployments;
import dev.waybill.local.bench.start.StartMeasures;
import dev.waybill.local.bench.streams.StreamBench;
import dev.waybill.local.bench.streams.Streams;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** Measures everything, prints a table and keeps a result file. It says when a goal is missed and does not fail for it. */
public final class Benchmark {

    /** In this order: the intake's tables begin empty, and the last one empties the table that all others share. */
    private static final List<Measure<Bench>> MEASURES = List.of(
            new Measure<>("intake", bench -> new Intake(bench).measure()),
            new Measure<>("U1", bench -> new Uploads(bench).measure()),
            new Measure<>("comparison", bench -> new Comparisons(bench).measure()),
            new Measure<>("clients", bench -> new ManyClients(bench).measure()),
            new Measure<>("P1", bench -> new LargeExport(bench).measure()),
            new Measure<>("P4", bench -> new NarrowExport(bench).measure()),
            new Measure<>("P9", bench -> new Readers(bench).measure()),
            new Measure<>("P9npm", bench -> new NodeReaders(bench).measure()),
            new Measure<>("P8", bench -> new ParallelRuns(bench).measure()),
            new Measure<>("P10", bench -> new Kindness(bench).measure()),
            new Measure<>("P5", bench -> new Partitions(bench).measure()),
            new Measure<>("P6", bench -> new Memory(bench).measure()),
            new Measure<>("cold", bench -> new ColdStart(bench).measure()),
            new Measure<>("P7", bench -> new SmallExports(bench).measure()),
            new Measure<>("rows", bench -> new Scaling(bench).measure()));

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
        Path folder = root.resolve("local/target/bench");
        Optional<Turn> turn = Turn.take(folder);
        if (turn.isEmpty()) {
            out.println("Something is measured from this checkout already; a second bench needs a checkout of its own.");
            System.exit(2);
        }
        try (Turn ours = turn.orElseThrow()) {
            new Report(options, measure(root, folder, options, out)).publish(out, folder);
        }
    }

    private static List<Figure> measure(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        // The runtime needs no stack, so it is measured before there is one.
        List<Figure> figures = new ArrayList<>(Streams.measure(new StreamBench(root, folder, options, out)));
        figures.addAll(Deployments.measure(root, folder, options, out));
        figures.addAll(StartMeasures.measure(root, folder, options, out));
        if (MEASURES.stream().anyMatch(measure -> options.wants(measure.name()))) {
            figures.addAll(onStack(root, folder, options, out));
        }
        return figures;
    }

    private static List<Figure> onStack(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        Home home = new Home(folder.resolve("home"));
        Stack.endLeftOvers(home);
        home.forget();
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free()).fullSpeed(true);
        List<Figure> figures;
        try (Stack stack = Stack.start(settings); WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            figures = Measure.all(MEASURES, new Bench(stack, client, options, folder, out), options, out);
        }
        home.forget();
        return figures;
    }
}
