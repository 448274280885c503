package dev.waybill.bench;

import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/**
 * Compares searches of closed days with the lake, without it, and by DuckDB over the same files; compactions with exports of
 * the
 * same runs. Truncates the table.
 */
final class LakeBenchmark {

    private static final int WARM_UP_ROUNDS = 5;
    private static final double STATISTICS_MILLIS = 100;
    private static final double COMPACTION_RATIO = 1.3;

    private final BenchmarkContext bench;
    private final Map<LakeQuestion, Map<Source, Figures>> figures = new LinkedHashMap<>();
    private final List<Pair> compactions = new ArrayList<>();
    private final Map<String, List<Double>> statistics = new LinkedHashMap<>();

    LakeBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        bench.print("Loading %,d runs in %d days ...", bench.options.lakeRows(), LakeDays.DAYS);
        ServiceProcess reader = bench.stack.add(replica());
        try (LakeDays days = new LakeDays(bench); DuckDb duckDb = new DuckDb()) {
            reader.start();
            reader.awaitReady();
            days.awaitSummaries();
            compareCompactions(days);
            measureStatistics(days, reader);
            measureQuestions(days, reader, duckDb);
            return results(days);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            reader.stop();
            ExportRunner.delete(cache());
        }
    }

    private Replica replica() {
        Replica replica = Replica.of(ServiceKind.EXPERIMENT, "experiment-service-with-lake");
        for (Map.Entry<String, String> property : LakeDays.readerProperties(cache()).entrySet()) {
            replica = replica.property(property.getKey(), property.getValue());
        }
        return replica;
    }

    private Path cache() {
        return bench.folder.resolve("lake-cache").toAbsolutePath();
    }

    private void compareCompactions(LakeDays days) {
        ExportRunner exports = new ExportRunner(bench, "bench-lake-export");
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuUsage export = exports.run(new ExportSpec(days.session(), days.start(), days.end())).usage();
            exports.deleteFiles();
            CpuUsage compaction = days.compact();
            bench.print("%s compaction %.2f (service %.2f, PostgreSQL %.2f), export %.2f (service %.2f, PostgreSQL %.2f); "
                    + "%,d and %,d bytes", BenchmarkContext.round(round), compaction.seconds(), compaction.program(),
                    compaction.postgres(), export.seconds(), export.program(), export.postgres(), days.bytes(), export.bytes());
            if (round > 0) {
                compactions.add(new Pair(compaction.seconds(), export.seconds()));
            }
        }
    }

    private void measureStatistics(LakeDays days, ServiceProcess reader) {
        URI session = reader.address().resolve("/api/v1/sessions/" + days.session());
        URI statisticsOfSession = URI.create(session + "?include_stats=true");
        // Thirty days by hour would be more than the 200 buckets of a request.
        URI chart = URI.create(session + "/runs/stats?interval=6h&start_time=" + days.end().minus(Duration.ofDays(30))
                + "&end_time=" + days.end());
        Map<String, URI> requests = new LinkedHashMap<>();
        requests.put("statistics of the session", statisticsOfSession);
        requests.put("chart of 30 days", chart);
        for (int round = 0; round < WARM_UP_ROUNDS + bench.options.pairs(); round++) {
            for (Map.Entry<String, URI> request : requests.entrySet()) {
                long startNanos = System.nanoTime();
                JsonNode response = bench.client.json().get(request.getValue());
                double millis = (System.nanoTime() - startNanos) / 1e6;
                requireAllRuns(days, response);
                if (round >= WARM_UP_ROUNDS) {
                    statistics.computeIfAbsent(request.getKey(), _ -> new ArrayList<>()).add(millis);
                }
            }
        }
    }

    // The number of the session is that of its traces.
    private static void requireAllRuns(LakeDays days, JsonNode response) {
        long runs = 0;
        for (JsonNode bucket : response.path("buckets")) {
            runs += bucket.required("run_count").longValue();
        }
        if (response.has("buckets") ? runs != days.rows() : response.path("run_count").asLong() == 0) {
            throw new IllegalStateException("the figures do not contain all runs: " + response);
        }
    }

    private void measureQuestions(LakeDays days, ServiceProcess reader, DuckDb duckDb) {
        ServiceProcess plain = bench.stack.service(ServiceKind.EXPERIMENT);
        String floor = "SELECT id, * EXCLUDE (id) FROM read_parquet(" + days.files() + ", hive_partitioning = false)"
                + " WHERE tenant_id = '" + bench.tenantId + "' AND session_id = '" + days.session()
                + "' AND %s ORDER BY start_time DESC, id DESC LIMIT " + LakeQuestion.LIMIT;
        for (int round = 0; round < WARM_UP_ROUNDS + bench.options.pairs(); round++) {
            boolean measured = round >= WARM_UP_ROUNDS;
            for (LakeQuestion question : LakeQuestion.all()) {
                Answer lake = observe(question, Source.LAKE, measured, reader.pid(), () -> ask(reader, days, question));
                Answer duck = observe(question, Source.DUCKDB, measured, ProcessHandle.current().pid(),
                        () -> ask(duckDb, floor.formatted(question.condition())));
                // Long searches of PostgreSQL need no longer warm-up.
                if (measured || round == 0) {
                    Answer postgres = observe(question, Source.POSTGRESQL, measured, plain.pid(),
                            () -> ask(plain, days, question));
                    requireSame(question, lake, postgres);
                    requireSame(question, lake, duck);
                }
            }
        }
        figures.forEach((question, bySource) -> bySource.forEach((source, observed) -> bench.print(
                "        %s, %s: %.1f ms, CPU %.0f ms, %d runs in %d pages", question.name(), source.description,
                median(observed.millis), 1000 * observed.cpuSeconds / observed.millis.size(), observed.runs, observed.pages)));
    }

    private Answer observe(LakeQuestion question, Source source, boolean measured, long program, Supplier<Answer> search) {
        double cpuBefore = cpuSeconds(program);
        long startNanos = System.nanoTime();
        Answer answer = search.get();
        double millis = (System.nanoTime() - startNanos) / 1e6;
        double cpuSeconds = cpuSeconds(program) - cpuBefore;
        if (measured) {
            figures.computeIfAbsent(question, _ -> new EnumMap<>(Source.class))
                    .computeIfAbsent(source, _ -> new Figures()).add(millis, cpuSeconds, answer);
        }
        return answer;
    }

    // Not the children of this program, which are the services.
    private double cpuSeconds(long program) {
        return CpuTime.of(program) + CpuTime.ofFamily(bench.stack.postgres().pid());
    }

    /** Follows the cursors until the page is complete or all runs were searched. */
    private Answer ask(ServiceProcess service, LakeDays days, LakeQuestion question) {
        ObjectNode request = Json.object().put("limit", LakeQuestion.LIMIT).put("partial", true);
        request.putArray("session").add(days.session().toString());
        if (question.filter() != null) {
            request.put("filter", question.filter());
        }
        URI address = service.address().resolve("/api/v1/runs/query");
        List<String> ids = new ArrayList<>();
        int pages = 0;
        String cursor;
        do {
            JsonNode page = bench.client.json().post(address, request);
            page.required("runs").forEach(run -> ids.add(run.required("id").textValue()));
            pages++;
            cursor = page.at("/cursors/next").textValue();
            request.put("cursor", cursor);
        } while (cursor != null && ids.size() < LakeQuestion.LIMIT);
        return new Answer(ids.subList(0, Math.min(ids.size(), LakeQuestion.LIMIT)), pages);
    }

    private static Answer ask(DuckDb duckDb, String sql) {
        try {
            return new Answer(duckDb.values(sql), 1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void requireSame(LakeQuestion question, Answer first, Answer second) {
        if (!first.ids().equals(second.ids())) {
            throw new IllegalStateException("the runs of " + question.name() + " differ: " + first.ids() + " and "
                    + second.ids());
        }
    }

    private List<BenchmarkResult> results(LakeDays days) {
        List<BenchmarkResult> results = new ArrayList<>();
        figures.forEach((question, bySource) -> bySource.forEach((source, observed) -> results.add(BenchmarkResult.ofValues(
                "lake", String.format("%s of %,d runs in %d days, %s", question.name(), days.rows(), LakeDays.DAYS,
                        source.description),
                "ms", observed.millis, 0.5, source == Source.LAKE && question.maxMillis() > 0 ? Goal.AT_MOST : Goal.NONE,
                question.maxMillis()))));
        statistics.forEach((name, millis) -> results.add(BenchmarkResult.ofValues("lake", name + " from hourly summaries", "ms",
                millis, 0.5, Goal.AT_MOST, STATISTICS_MILLIS)));
        results.add(BenchmarkResult.ofPairs("lake", "CPU of the compaction of all days over an export of the same runs",
                compactions, Pair::ratio, Goal.AT_MOST, COMPACTION_RATIO));
        return results;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** Where the runs are searched. */
    private enum Source {

        LAKE("with the lake"),
        POSTGRESQL("without the lake"),
        DUCKDB("DuckDB over the same files");

        private final String description;

        Source(String description) {
            this.description = description;
        }
    }

    /** Ids of runs in the order of the response. */
    private record Answer(List<String> ids, int pages) {
    }

    /** Observations of one question and source. */
    private static final class Figures {

        private final List<Double> millis = new ArrayList<>();
        private double cpuSeconds;
        private int runs;
        private int pages;

        private void add(double time, double cpu, Answer answer) {
            millis.add(time);
            cpuSeconds += cpu;
            runs = answer.ids().size();
            pages = answer.pages();
        }
    }
}
