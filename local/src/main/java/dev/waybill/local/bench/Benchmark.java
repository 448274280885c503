package dev.waybill.local.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** Measures everything, prints a table and keeps a result file. It says when a goal is missed and does not fail for it. */
public final class Benchmark {

    /** In this order: the intake's tables begin empty, and the last one empties the table that all others share. */
    private static final List<Measure> MEASURES = List.of(
            new Measure("intake", bench -> new Intake(bench).measure()),
            new Measure("U1", bench -> new Uploads(bench).measure()),
            new Measure("comparison", bench -> new Comparisons(bench).measure()),
            new Measure("clients", bench -> new ManyClients(bench).measure()),
            new Measure("P1", bench -> new LargeExport(bench).measure()),
            new Measure("P4", bench -> new NarrowExport(bench).measure()),
            new Measure("P9", bench -> new Readers(bench).measure()),
            new Measure("P9npm", bench -> new NodeReaders(bench).measure()),
            new Measure("P8", bench -> new ParallelRuns(bench).measure()),
            new Measure("P10", bench -> new Kindness(bench).measure()),
            new Measure("P5", bench -> new Partitions(bench).measure()),
            new Measure("P6", bench -> new Memory(bench).measure()),
            new Measure("cold", bench -> new ColdStart(bench).measure()),
            new Measure("P7", bench -> new SmallExports(bench).measure()),
            new Measure("rows", bench -> new Scaling(bench).measure()));

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
        Home home = new Home(folder.resolve("home"));
        Stack.endLeftOvers(home);
        home.forget();
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free()).fullSpeed(true);
        try (Stack stack = Stack.start(settings); WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            Bench bench = new Bench(stack, client, options, folder, out);
            new Report(options, measure(bench)).publish(out, folder);
        }
        home.forget();
    }

    private static List<Figure> measure(Bench bench) {
        List<Figure> figures = new ArrayList<>();
        for (Measure measure : MEASURES) {
            if (bench.options.wants(measure.name())) {
                long began = System.nanoTime();
                try {
                    figures.addAll(measure.figures().apply(bench));
                } catch (RuntimeException e) {
                    // The others took long, too, and stand for themselves.
                    bench.say("%s could not be measured: %s", measure.name(), e);
                    figures.add(Figure.missing(measure.name(), e.toString()));
                }
                bench.say("        %s took %d s", measure.name(), (System.nanoTime() - began) / 1_000_000_000);
            }
        }
        return figures;
    }

    /** Something that is measured by itself. */
    private record Measure(String name, Function<Bench, List<Figure>> figures) {
    }
}
