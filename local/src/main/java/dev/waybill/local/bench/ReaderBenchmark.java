package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.local.bench.ExportRunner.Done;
import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;

/** P9: what reading our files costs DuckDB, against a file that it wrote itself of the same rows; and whether it can skip. */
final class ReaderBenchmark {

    private final BenchmarkContext bench;
    private final ExportRunner exports;

    ReaderBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.exports = new ExportRunner(bench, "readers");
    }

    List<BenchmarkResult> measure() {
        Path folder = bench.folder.resolve("readers");
        Path theirs = bench.folder.resolve("readers.parquet");
        Done done = exports.run(new Order(bench.wide().sessionId(), BenchmarkDay.start(), BenchmarkDay.end()));
        String ours = exports.download(done.ids().getFirst(), folder).stream().map(file -> "'" + file + "'")
                .collect(Collectors.joining(", ", "[", "]"));
        bench.worker.run("rewrite", ours, theirs.toString());
        List<Pair> scans = new ArrayList<>();
        List<Pair> skipped = new ArrayList<>();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuUsage our = bench.worker.run("scan", ours, BenchmarkDay.start().toString(), BenchmarkDay.end().toString());
            CpuUsage their = bench.worker.run("scan", "['" + theirs + "']", BenchmarkDay.start().toString(), BenchmarkDay.end().toString());
            CpuUsage hour = bench.worker.run("scan", ours, BenchmarkDay.start().toString(), BenchmarkDay.endOf(24).toString());
            bench.say("%s DuckDB reads our files %.2f, its own %.2f; %,d bytes of ours, %,d for an hour", BenchmarkContext.round(round),
                    our.program(), their.program(), our.bytes(), hour.bytes());
            if (round > 0) {
                scans.add(new Pair(our.program(), their.program()));
                skipped.add(new Pair(hour.bytes(), our.bytes()));
            }
        }
        exports.forget();
        ExportRunner.delete(folder);
        ExportRunner.delete(theirs);
        return List.of(
                BenchmarkResult.ofPairs("P9", "DuckDB's scan of all columns of our files, over one that it wrote of the same rows",
                        scans, Pair::ratio, Goal.AT_MOST, 1.05),
                BenchmarkResult.ofPairs("P9 skip", "bytes that it reads of our files for an hour of the day, over the whole day",
                        skipped, Pair::ratio, Goal.AT_MOST, 0.5));
    }
}
