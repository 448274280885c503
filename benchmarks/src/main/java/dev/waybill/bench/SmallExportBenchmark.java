package dev.waybill.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.traces.TraceDay;

/** P7: measures the duration of small exports from the request until the manifest is readable. */
final class SmallExportBenchmark {

    private static final int ROWS = 600;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private final BenchmarkContext bench;
    private final UUID session;
    private final ExportRunner exports;

    SmallExportBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.session = bench.table().add("bench-small", bench.generator(2), ROWS);
        this.exports = new ExportRunner(bench, "small");
    }

    List<BenchmarkResult> measure() {
        List<Double> full = new ArrayList<>();
        List<Double> empty = new ArrayList<>();
        ExportSpec day = new ExportSpec(session, TraceDay.start(), TraceDay.end());
        // The next day, which has no runs.
        ExportSpec emptyDay = new ExportSpec(session, TraceDay.end(), TraceDay.end().plus(Duration.ofDays(1)));
        try (Bucket bucket = bench.stack.bucket()) {
            export(bucket, day);
            export(bucket, emptyDay);
            for (int i = 0; i < bench.options.smallExports(); i++) {
                full.add(export(bucket, day));
                empty.add(export(bucket, emptyDay));
            }
        }
        exports.deleteFiles();
        return List.of(
                BenchmarkResult.ofValues("P7 p50", "export of 600 runs in one day, POST to Completed with manifest", "s", full,
                        0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("P7 p99", "the same", "s", full, 0.99, Goal.AT_MOST, 2),
                BenchmarkResult.ofValues("P7 none", "export of a day without runs, median", "s", empty, 0.5, Goal.AT_MOST,
                        0.2));
    }

    private double export(Bucket bucket, ExportSpec spec) {
        long startNanos = System.nanoTime();
        UUID id = exports.start(spec);
        awaitCompleted(id);
        if (bucket.keys("small/export_id=" + id + "/").stream().noneMatch(key -> key.endsWith("/_manifest.json"))) {
            throw new IllegalStateException("export " + id + " is Completed but has no manifest");
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void awaitCompleted(UUID id) {
        while (true) {
            BulkExportStatus status = bench.exporter.get(id).status();
            if (status == BulkExportStatus.COMPLETED) {
                return;
            }
            if (status.isFinal()) {
                throw new IllegalStateException("export " + id + " ended as " + status + ": " + bench.exporter.runs(id));
            }
            Wait.sleep(POLL_INTERVAL);
        }
    }
}
