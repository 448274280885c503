package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.local.bench.Exports.Done;
import dev.waybill.local.bench.Exports.Order;
import dev.waybill.local.bench.Figure.Pair;

/** P9: what reading our files costs DuckDB, against a file that it wrote itself of the same rows; and whether it can skip. */
final class Readers {

    private final Bench bench;
    private final Exports exports;

    Readers(Bench bench) {
        this.bench = bench;
        this.exports = new Exports(bench, "readers");
    }

    List<Figure> measure() {
        Path folder = bench.folder.resolve("readers");
        Path theirs = bench.folder.resolve("readers.parquet");
        Done done = exports.run(new Order(bench.wide().sessionId(), Day.start(), Day.end()));
        String ours = exports.download(done.ids().getFirst(), folder).stream().map(file -> "'" + file + "'")
                .collect(Collectors.joining(", ", "[", "]"));
        bench.worker.run("rewrite", ours, theirs.toString());
        List<Pair> scans = new ArrayList<>();
        List<Pair> skipped = new ArrayList<>();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            Effort our = bench.worker.run("scan", ours, Day.start().toString(), Day.end().toString());
            Effort their = bench.worker.run("scan", "['" + theirs + "']", Day.start().toString(), Day.end().toString());
            Effort hour = bench.worker.run("scan", ours, Day.start().toString(), Day.endOf(24).toString());
            bench.say("%s DuckDB reads our files %.2f, its own %.2f; %,d bytes of ours, %,d for an hour", Bench.round(round),
                    our.program(), their.program(), our.bytes(), hour.bytes());
            if (round > 0) {
                scans.add(new Pair(our.program(), their.program()));
                skipped.add(new Pair(hour.bytes(), our.bytes()));
            }
        }
        exports.forget();
        Exports.delete(folder);
        Exports.delete(theirs);
        return List.of(
                Figure.ofPairs("P9", "DuckDB's scan of all columns of our files, over one that it wrote of the same rows",
                        scans, Pair::ratio, Goal.AT_MOST, 1.05),
                Figure.ofPairs("P9 skip", "bytes that it reads of our files for an hour of the day, over the whole day",
                        skipped, Pair::ratio, Goal.AT_MOST, 0.5));
    }
}
