package dev.waybill.local.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;

/** Measures everything, prints a table and keeps a result file. It says when a goal is missed and does not fail for it. */
public final class Benchmark {

    private static final String EXPORT_HEAP = "256m";

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
        StackSettings settings = StackSettings.of(root, home).ports(Ports.free()).heap(ServiceKind.EXPORT, EXPORT_HEAP)
                .fullSpeed(true);
        try (Stack stack = Stack.start(settings); WaybillClient client = new WaybillClient(stack.secrets().apiKey())) {
            Bench bench = new Bench(stack, client, options, folder, out);
            new Report(options, measure(bench)).publish(out, folder);
        }
        home.forget();
    }

    private static List<Figure> measure(Bench bench) {
        List<Figure> figures = new ArrayList<>();
        // The intake comes first: its table and the one it is compared with both begin empty.
        List<Figure> intake = new Intake(bench).measure();
        figures.addAll(new LargeExport(bench).measure());
        figures.addAll(new SmallExports(bench).measure());
        figures.addAll(intake);
        double peak = CpuTime.peakMemory(bench.stack.service(ServiceKind.EXPORT).pid()) / (1024.0 * 1024);
        figures.add(
                Figure.ofValues("memory", "peak resident memory of the export service through all of it, heap " + EXPORT_HEAP,
                        "MiB", List.of(peak), 0.5, Goal.NONE, 0));
        return figures;
    }
}
