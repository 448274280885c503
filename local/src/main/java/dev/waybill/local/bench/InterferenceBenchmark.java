package dev.waybill.local.bench;

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

import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.Progress;

/** P10: how long small queries of others take while an export reads at a bounded rate, over when none runs. */
final class InterferenceBenchmark {

    private static final String RATE = "8M";
    private static final int SECONDS = 6;
    private static final int HALF = SECONDS / 2;
    /** Which of the kernel's words behind a process's name. */
    private static final int NICENESS = 16;

    private final BenchmarkContext bench;
    private final UUID session;

    InterferenceBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.session = bench.wide().sessionId();
    }

    List<BenchmarkResult> measure() {
        List<Pair> throttled = new ArrayList<>();
        List<Pair> apart = new ArrayList<>();
        List<Pair> unhindered = new ArrayList<>();
        bench.restart(ServiceKind.EXPORT, Map.of("waybill.export.execution.read-rate", RATE));
        ExportRunner exports = new ExportRunner(bench, "kindness");
        try (QueryLoad queries = new QueryLoad(bench.stack.superuserUrl(), bench.tenantId, session)) {
            queries.times(SECONDS);
            pairs(exports, queries, throttled, "at " + RATE + "/s");
            standAside();
            pairs(exports, queries, apart, "at " + RATE + "/s and stands aside");
            bench.restart(ServiceKind.EXPORT, Map.of());
            pairs(exports, queries, unhindered, "unhindered");
        }
        return List.of(
                BenchmarkResult.ofPairs("P10", "p99 of small queries while an export reads " + RATE + "/s, over when none runs",
                        throttled, Pair::ratio, Goal.AT_MOST, 1.3),
                BenchmarkResult.ofPairs("P10 apart", "the same when the service takes no processor that PostgreSQL could use", apart,
                        Pair::ratio, Goal.AT_MOST, 1.3),
                BenchmarkResult.ofPairs("P10 free", "the same while an export reads as fast as it can", unhindered, Pair::ratio,
                        Goal.NONE, 0));
    }

    private void pairs(ExportRunner exports, QueryLoad queries, List<Pair> pairs, String how) {
        for (int round = 0; round <= bench.options.pairs(); round++) {
            // What is quiet lies before and behind the export, so that a machine that changes slowly favours neither.
            List<Long> calm = new ArrayList<>(queries.times(HALF));
            String export = exports.start(new Order(session, BenchmarkDay.start(), BenchmarkDay.end()));
            queries.awaitReading(true);
            double during = QueryLoad.p99(queries.times(SECONDS));
            cancel(export);
            queries.awaitReading(false);
            calm.addAll(queries.times(HALF));
            double quiet = QueryLoad.p99(calm);
            bench.say("%s p99 of small queries %.2f ms, while an export reads %s %.2f ms", BenchmarkContext.round(round), 1000 * quiet,
                    how, 1000 * during);
            if (round > 0) {
                pairs.add(new Pair(during, quiet));
            }
        }
        exports.forget();
    }

    // A service beside its database is not how either is run; here there is one machine. Its threads get what nobody else wants.
    private void standAside() {
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

    private void cancel(String export) {
        try {
            bench.exporter.cancel(export);
        } catch (WaybillException e) {
            if (!bench.exporter.get(export).path("status").asText().equals("Completed")) {
                throw e;
            }
        }
        bench.exporter.awaitEnd(export, Progress.UNSEEN);
    }
}
