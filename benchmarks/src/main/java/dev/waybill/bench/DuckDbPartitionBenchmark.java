package dev.waybill.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.storage.Folders;

/** Measures the cost of partitioning the same rows by day in DuckDB, for comparison with P5. */
final class DuckDbPartitionBenchmark {

    private final BenchmarkContext bench;
    private final ExportRunner exports;

    DuckDbPartitionBenchmark(BenchmarkContext bench, ExportRunner exports) {
        this.bench = bench;
        this.exports = exports;
    }

    BenchmarkResult measure(ExportSpec spec) {
        Path source = bench.folder.resolve("days-source");
        exports.download(exports.run(spec).ids().getFirst(), source);
        exports.deleteFiles();
        List<Pair> pairs = new ArrayList<>();
        for (int round = 0; round < bench.options.pairs(); round++) {
            pairs.add(pair(source + "/**/*.parquet"));
        }
        Folders.delete(source);
        return BenchmarkResult.ofPairs("P5 DuckDB", "DuckDB's encoding of the rows with PARTITION_BY day, over a single file",
                pairs,
                Pair::ratio, Goal.NONE, 0);
    }

    private Pair pair(String source) {
        Path file = bench.folder.resolve("encoded.parquet");
        Path folders = bench.folder.resolve("encoded-days");
        CpuUsage one = bench.worker.run("encode", source, file.toString());
        CpuUsage many = bench.worker.run("encode-days", source, folders.toString());
        Folders.delete(file);
        Folders.delete(folders);
        return new Pair(many.program(), one.program());
    }
}
