package dev.waybill.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.Folders;

/** Measures searches and statistics of closed days with the lake, and the costs of the lake. Truncates the table. */
final class LakeBenchmark {

    static final int WARM_UP_ROUNDS = 5;

    /** All files of the largest benchmark; a smaller cache is measured separately. */
    private static final long CACHE_BYTES = 16L << 30;

    private final BenchmarkContext bench;

    LakeBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Path cache = bench.folder.resolve("lake-cache").toAbsolutePath();
        ServiceProcess reader = bench.stack.add(replica("experiment-service-with-lake", cache, CACHE_BYTES));
        try (LakeDays days = new LakeDays(bench)) {
            LakeCosts costs = new LakeCosts(bench, days);
            LakeStatistics statistics = new LakeStatistics(bench, days);
            LakeSearches searches = new LakeSearches(bench, days);
            // Days of a new session are summarized after its first hours were found, once an hour or after a start.
            bench.restart(ServiceKind.EXPERIMENT, Map.of());
            days.awaitSummaries();
            costs.measureCompactions();
            // The service with the lake and the other one start alike.
            bench.restart(ServiceKind.EXPERIMENT, Map.of());
            reader.start();
            reader.awaitReady();
            searches.measure(reader);
            statistics.measure(reader);
            statistics.measureYear(reader);
            costs.measureMemory(reader);
            costs.measureCache(searches);
            costs.measureIntake();
            List<BenchmarkResult> results = new ArrayList<>(searches.results());
            results.addAll(statistics.results());
            results.addAll(costs.results());
            return results;
        } finally {
            reader.stop();
            Folders.delete(cache);
        }
    }

    static Replica replica(String name, Path cache, long cacheBytes) {
        Replica replica = Replica.of(ServiceKind.EXPERIMENT, name);
        for (Map.Entry<String, String> property : LakeDays.readerProperties(cache, cacheBytes).entrySet()) {
            replica = replica.property(property.getKey(), property.getValue());
        }
        return replica;
    }

    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
