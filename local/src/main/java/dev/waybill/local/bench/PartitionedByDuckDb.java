package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.bench.Exports.Order;
import dev.waybill.local.bench.Figure.Pair;

/** What cutting the same rows into days costs DuckDB, which reads nothing, sends nothing and writes nothing down about it. */
final class PartitionedByDuckDb {

    private final Bench bench;
    private final Exports exports;

    PartitionedByDuckDb(Bench bench, Exports exports) {
        this.bench = bench;
        this.exports = exports;
    }

    Figure measure(Order order) {
        Path source = bench.folder.resolve("days-source");
        exports.download(exports.run(order).ids().getFirst(), source);
        exports.forget();
        List<Pair> pairs = new ArrayList<>();
        for (int round = 0; round < bench.options.pairs(); round++) {
            pairs.add(pair(source + "/**/*.parquet"));
        }
        Exports.delete(source);
        return Figure.ofPairs("P5 DuckDB", "DuckDB's encoding of these rows with PARTITION_BY the day, over its one file",
                pairs,
                Pair::ratio, Goal.NONE, 0);
    }

    private Pair pair(String source) {
        Path file = bench.folder.resolve("encoded.parquet");
        Path folders = bench.folder.resolve("encoded-days");
        Effort one = bench.worker.run("encode", source, file.toString());
        Effort many = bench.worker.run("encode-days", source, folders.toString());
        Exports.delete(file);
        Exports.delete(folders);
        return new Pair(many.program(), one.program());
    }
}
