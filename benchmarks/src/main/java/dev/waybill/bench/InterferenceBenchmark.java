package dev.waybill.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.client.WaybillException;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.traces.TraceDay;

/** P10: compares the latency of other small queries during a rate-limited export with the latency without an export. */
final class InterferenceBenchmark {

    private static final String RATE = "8M";
    private static final int SECONDS = 6;
    private static final int HALF = SECONDS / 2;
    /** Index of the field in /proc/PID/stat after the program name. */
    private static final int NICENESS = 16;

    private final BenchmarkContext bench;
    private final UUID session;

    InterferenceBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.session = bench.largeRows().sessionId();
    }

    List<BenchmarkResult> measure() {
        List<Pair> throttled = new ArrayList<>();
        List<Pair> lowPriority = new ArrayList<>();
        List<Pair> unlimited = new ArrayList<>();
        bench.restart(ServiceKind.EXPORT, Map.of("waybill.export.execution.max-read-rate", RATE));
        ExportRunner exports = new ExportRunner(bench, "interference");
        try (QueryLoad queries = new QueryLoad(bench.stack.superuserUrl(), bench.tenantId, session)) {
            queries.measure(SECONDS);
            pairs(exports, queries, throttled, "at " + RATE + "/s");
            lowerPriority();
            pairs(exports, queries, lowPriority, "at " + RATE + "/s with lowest priority");
            bench.restart(ServiceKind.EXPORT, Map.of());
            pairs(exports, queries, unlimited, "without a rate limit");
        }
        return List.of(
                BenchmarkResult.ofPairs("P10", "p99 of small queries while an export reads " + RATE + "/s, over no export",
                        throttled, Pair::ratio, Goal.AT_MOST, 1.3),
                BenchmarkResult.ofPairs("P10 apart", "the same with the service's threads at the lowest priority", lowPriority,
                        Pair::ratio, Goal.AT_MOST, 1.3),
                BenchmarkResult.ofPairs("P10 free", "the same while an export reads without a rate limit", unlimited,
                        Pair::ratio,
                        Goal.NONE, 0));
    }

    private void pairs(ExportRunner exports, QueryLoad queries, List<Pair> pairs, String condition) {
        for (int round = 0; round <= bench.options.pairs(); round++) {
            // Measures before and after the export, so that slow changes of the machine affect both sides equally.
            List<Long> idle = new ArrayList<>(queries.measure(HALF));
            UUID export = exports.start(new ExportSpec(session, TraceDay.start(), TraceDay.end()));
            queries.awaitReading(true);
            double exportP99 = QueryLoad.p99(queries.measure(SECONDS));
            cancel(export);
            queries.awaitReading(false);
            idle.addAll(queries.measure(HALF));
            double idleP99 = QueryLoad.p99(idle);
            bench.print("%s p99 of small queries %.2f ms, while an export reads %s %.2f ms", BenchmarkContext.round(round),
                    1000 * idleP99,
                    condition, 1000 * exportP99);
            if (round > 0) {
                pairs.add(new Pair(exportP99, idleP99));
            }
        }
        exports.deleteFiles();
    }

    // In production, the service and PostgreSQL have separate machines; here the service's threads get the lowest
    // priority.
    private void lowerPriority() {
        long pid = bench.stack.service(ServiceKind.EXPORT).pid();
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            List<String> command = new ArrayList<>(List.of("renice", "-n", "19", "-p"));
            threads.forEach(thread -> command.add(thread.getFileName().toString()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
            process.waitFor();
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            if (!stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICENESS].equals("19")) {
                throw new IllegalStateException("renice did not change the service");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancel(UUID export) {
        try {
            bench.exporter.cancel(export);
        } catch (WaybillException e) {
            if (bench.exporter.get(export).status() != BulkExportStatus.COMPLETED) {
                throw e;
            }
        }
        bench.exporter.awaitEnd(export, Progress.NONE);
    }
}
