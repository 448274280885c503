package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.bench.ExportRunner.Done;
import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;

/** P4: the same runs without their inputs and outputs, against reading and encoding the same columns. */
final class NarrowExportBenchmark {

    private final BenchmarkContext bench;
    private final ExportedRows rows;
    private final ExportRunner exports;
    private final List<Pair> pairs = new ArrayList<>();

    NarrowExportBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.rows = bench.wide();
        this.exports = new ExportRunner(bench, "narrow");
    }

    List<BenchmarkResult> measure() {
        Path downloads = bench.folder.resolve("narrow");
        Path encoded = bench.folder.resolve("narrow.parquet");
        // What DuckDB has to encode are the columns that an export of ours has.
        Done first = export();
        exports.download(first.ids().getFirst(), downloads);
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuUsage ours = export().effort();
            CpuUsage read = bench.worker.run("copy-out", bench.stack.superuserUrl(), rows.fewNarrowRows(), rows.narrowCopy());
            CpuUsage encode = bench.worker.run("encode", downloads + "/**/*.parquet", encoded.toString());
            double floor = read.seconds() + encode.program();
            bench.say("%s narrow export %.2f (service %.2f, PostgreSQL %.2f), floor %.2f (COPY %.2f, encoding %.2f)",
                    BenchmarkContext.round(round), ours.seconds(), ours.program(), ours.postgres(), floor, read.seconds(),
                    encode.program());
            if (round > 0) {
                pairs.add(new Pair(ours.seconds(), floor));
            }
            exports.forget();
        }
        ExportRunner.delete(downloads);
        ExportRunner.delete(encoded);
        return List.of(BenchmarkResult.ofPairs("P4", "the export without inputs and outputs, over binary COPY + DuckDB's encoding of it",
                pairs, Pair::ratio, Goal.AT_MOST, 1.5));
    }

    private Done export() {
        return exports.run(new Order(rows.sessionId(), BenchmarkDay.start(), BenchmarkDay.end(), ExportedRows.NARROW_FIELDS));
    }
}
