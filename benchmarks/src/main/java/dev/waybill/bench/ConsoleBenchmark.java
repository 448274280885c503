package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.node.ConsoleBrowser;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** Measures the pages of the console in Chromium, with three experiments of many rows and a trace of 10,000 runs. */
final class ConsoleBenchmark {

    private static final int TIMEOUT_MINUTES = 60;
    private static final double LAST_PERCENTILE = 1;

    private final BenchmarkContext bench;

    ConsoleBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        if (!ConsoleBrowser.isInstalled()) {
            return List.of(BenchmarkResult.notApplicable("console", "pages in Chromium, which is not installed"));
        }
        ServiceProcess console = bench.stack.add(Replica.of(ServiceKind.CONSOLE, "console-of-benchmark"));
        console.start();
        try {
            console.awaitReady();
            bench.print("Loading 3 experiments of %,d rows, opening and scrolling their comparison ...",
                    bench.options.comparedRows());
            return results(measure(console));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            console.stop();
        }
    }

    private JsonNode measure(ServiceProcess console) throws IOException, InterruptedException {
        Path figures = bench.folder.resolve("console.json").toAbsolutePath();
        Map<String, String> environment = new TreeMap<>(ConsoleBrowser.environment(bench.stack, bench.client, console));
        environment.put("WAYBILL_FIGURES", figures.toString());
        environment.put("WAYBILL_ROWS", Integer.toString(bench.options.comparedRows()));
        environment.put("WAYBILL_ROUNDS", Integer.toString(bench.options.pairs()));
        environment.put("WAYBILL_SCROLL_SECONDS", Integer.toString(bench.options.clientSeconds()));
        Path root = Path.of(System.getProperty("waybill.root", "")).toAbsolutePath();
        new ConsoleBrowser(root, bench.folder.resolve("browser"), environment).run("large.measure.ts", TIMEOUT_MINUTES);
        return Json.parse(Files.readAllBytes(figures));
    }

    private List<BenchmarkResult> results(JsonNode figures) {
        int rows = bench.options.comparedRows();
        List<Double> frames = values(figures, "frames");
        List<Double> heap = values(figures, "heap");
        double growth = Collections.max(heap.subList(heap.size() / 2, heap.size())) / heap.get(heap.size() / 4);
        return List.of(
                seconds("first rows of 3 experiments of %,d rows".formatted(rows), values(figures, "first_rows")),
                seconds("first rows that are worse in one score", values(figures, "first_rows_worst")),
                seconds("first runs of a trace of 10,000", values(figures, "first_runs")),
                BenchmarkResult.ofValues("console", "longest frame while scrolling", "ms", frames, LAST_PERCENTILE,
                        Goal.AT_MOST,
                        50),
                BenchmarkResult.ofValues("console", "frame while scrolling, p99", "ms", frames, 0.99, Goal.AT_MOST, 50),
                BenchmarkResult.ofValues("console", "largest heap of the second half of scrolling, over that after a quarter",
                        "",
                        List.of(growth), 0.5, Goal.AT_MOST, 1.2));
    }

    private static BenchmarkResult seconds(String description, List<Double> seconds) {
        return BenchmarkResult.ofValues("console", description, "s", seconds, 0.5, Goal.AT_MOST, 1);
    }

    private static List<Double> values(JsonNode figures, String name) {
        List<Double> values = new ArrayList<>();
        figures.required(name).forEach(value -> values.add(value.doubleValue()));
        return values;
    }
}
