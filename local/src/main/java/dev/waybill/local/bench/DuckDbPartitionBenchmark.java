package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;

/** What cutting the same rows into days costs DuckDB, which reads nothing, sends nothing and writes nothing down about it. */
final class DuckDbPartitionBenchmark {

    private final BenchmarkContext bench;
    private final ExportRunner exports;

    DuckDbPartitionBenchmark(BenchmarkContext bench, ExportRunner exports) {
        this.bench = bench;
        this.exports = exports;
    }

    BenchmarkResult measure(Order order) {
        Path source = bench.folder.resolve("days-source");
        exports.download(exports.run(order).ids().getFirst(), source);
        exports.forget();
        List<Pair> pairs = new ArrayList<>();
        for (int round = 0; round < bench.options.pairs(); round++) {
            pairs.add(pair(source + "/**/*.parquet"));
        }
        ExportRunner.delete(source);
        return BenchmarkResult.ofPairs("P5 DuckDB", "DuckDB's encoding of these rows with PARTITION_BY the day, over its one file",
                pairs,
                Pair::ratio, Goal.NONE, 0);
    }

    private Pair pair(String source) {
        Path file = bench.folder.resolve("encoded.parquet");
        Path folders = bench.folder.resolve("encoded-days");
        CpuUsage one = bench.worker.run("encode", source, file.toString());
        CpuUsage many = bench.worker.run("encode-days", source, folders.toString());
        ExportRunner.delete(file);
        ExportRunner.delete(folders);
        return new Pair(many.program(), one.program());
    }
}
