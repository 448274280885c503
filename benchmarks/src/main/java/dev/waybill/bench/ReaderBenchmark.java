package dev.waybill.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.traces.TraceDay;

/**
 * P9: compares DuckDB's scan of exported files with its own file of the same rows, and checks that it can skip row
 * groups.
 */
final class ReaderBenchmark {

    private final BenchmarkContext bench;
    private final ExportRunner exports;

    ReaderBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.exports = new ExportRunner(bench, "readers");
    }

    List<BenchmarkResult> measure() {
        Path folder = bench.folder.resolve("readers");
        Path reference = bench.folder.resolve("readers.parquet");
        ExportResult result = exports
                .run(new ExportSpec(bench.largeRows().sessionId(), TraceDay.start(), TraceDay.end()));
        String waybill = exports.download(result.ids().getFirst(), folder).stream().map(file -> "'" + file + "'")
                .collect(Collectors.joining(", ", "[", "]"));
        bench.worker.run("rewrite", waybill, reference.toString());
        List<Pair> scans = new ArrayList<>();
        List<Pair> skipped = new ArrayList<>();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuUsage waybillScan = bench.worker.run("scan", waybill, TraceDay.start().toString(),
                    TraceDay.end().toString());
            CpuUsage referenceScan = bench.worker.run("scan", "['" + reference + "']", TraceDay.start().toString(),
                    TraceDay.end().toString());
            CpuUsage hour = bench.worker.run("scan", waybill, TraceDay.start().toString(),
                    TraceDay.endOf(24).toString());
            bench.print("%s DuckDB reads exported files %.2f, its own %.2f; %,d bytes of exported files, %,d for one hour",
                    BenchmarkContext.round(round),
                    waybillScan.program(), referenceScan.program(), waybillScan.bytes(), hour.bytes());
            if (round > 0) {
                scans.add(new Pair(waybillScan.program(), referenceScan.program()));
                skipped.add(new Pair(hour.bytes(), waybillScan.bytes()));
            }
        }
        exports.deleteFiles();
        Folders.delete(folder);
        Folders.delete(reference);
        return List.of(
                BenchmarkResult.ofPairs("P9",
                        "DuckDB's scan of all columns of exported files, over its own file of the same rows",
                        scans, Pair::ratio, Goal.AT_MOST, 1.05),
                BenchmarkResult.ofPairs("P9 skip", "bytes that it reads for one hour of the day, over the whole day",
                        skipped, Pair::ratio, Goal.AT_MOST, 0.5));
    }
}
