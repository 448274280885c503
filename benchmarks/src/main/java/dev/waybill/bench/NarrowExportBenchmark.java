package dev.waybill.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.traces.TraceDay;

/** P4: compares the export of runs without inputs and outputs with reading and encoding the same columns. */
final class NarrowExportBenchmark {

    private final BenchmarkContext bench;
    private final ExportedRows rows;
    private final ExportRunner exports;
    private final List<Pair> pairs = new ArrayList<>();

    NarrowExportBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.rows = bench.largeRows();
        this.exports = new ExportRunner(bench, "narrow");
    }

    List<BenchmarkResult> measure() {
        Path downloads = bench.folder.resolve("narrow");
        Path encoded = bench.folder.resolve("narrow.parquet");
        // DuckDB encodes the columns of the first export.
        ExportResult first = export();
        exports.download(first.ids().getFirst(), downloads);
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuUsage waybill = export().usage();
            CpuUsage read = bench.worker.run("copy-out", bench.stack.superuserUrl(), rows.fewNarrowRows(), rows.narrowCopy());
            CpuUsage encode = bench.worker.run("encode", downloads + "/**/*.parquet", encoded.toString());
            double baseline = read.seconds() + encode.program();
            bench.print("%s narrow export %.2f (service %.2f, PostgreSQL %.2f), baseline %.2f (COPY %.2f, encoding %.2f)",
                    BenchmarkContext.round(round), waybill.seconds(), waybill.program(), waybill.postgres(), baseline,
                    read.seconds(),
                    encode.program());
            if (round > 0) {
                pairs.add(new Pair(waybill.seconds(), baseline));
            }
            exports.deleteFiles();
        }
        Folders.delete(downloads);
        Folders.delete(encoded);
        return List.of(BenchmarkResult.ofPairs("P4",
                "the export without inputs and outputs, over binary COPY + DuckDB's encoding of it",
                pairs, Pair::ratio, Goal.AT_MOST, 1.5));
    }

    private ExportResult export() {
        return exports
                .run(new ExportSpec(rows.sessionId(), TraceDay.start(), TraceDay.end(), ExportedRows.NARROW_FIELDS));
    }
}
