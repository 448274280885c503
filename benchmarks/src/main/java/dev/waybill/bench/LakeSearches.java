package dev.waybill.bench;

import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** Compares searches with the lake, without it, and by DuckDB over the same files. The runs of all answers must be equal. */
final class LakeSearches {

    /** Larger tables need no longer warm-up, because each search evaluates more rows. */
    private static final int LARGE_ROWS = 500_000;
    /** Searches of the lake in each round, if their time has a goal. */
    private static final int REPETITIONS = 7;

    private final BenchmarkContext bench;
    private final LakeDays days;
    private final Map<LakeQuestion, Map<Source, Figures>> figures = new LinkedHashMap<>();

    LakeSearches(BenchmarkContext bench, LakeDays days) {
        this.bench = bench;
        this.days = days;
    }

    /** @param reader a replica of experiment-service with the lake */
    void measure(ServiceProcess reader) {
        ServiceProcess plain = bench.stack.service(ServiceKind.EXPERIMENT);
        int warmUpRounds = days.rows() < LARGE_ROWS ? LakeBenchmark.WARM_UP_ROUNDS : 2;
        try (DuckDb duckDb = new DuckDb()) {
            for (int round = 0; round < warmUpRounds + bench.options.pairs(); round++) {
                int measured = round - warmUpRounds;
                for (LakeQuestion question : LakeQuestion.all()) {
                    Answer lake = searchLake(reader, question, measured);
                    long benchmark = ProcessHandle.current().pid();
                    Answer keys = observe(question, Source.DUCKDB_KEYS, measured, benchmark,
                            () -> ask(duckDb, "id", question));
                    requireSame(question, lake, keys);
                    observe(question, Source.DUCKDB, measured, benchmark, () -> ask(duckDb, "id, * EXCLUDE (id)", question));
                    if (asksPostgres(question, round, measured)) {
                        Answer postgres = observe(question, Source.POSTGRESQL, measured, plain.pid(),
                                () -> ask(plain, question));
                        requireSame(question, lake, postgres);
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        print();
    }

    // A single search of a tenth of a second varies by a third.
    private Answer searchLake(ServiceProcess reader, LakeQuestion question, int measured) {
        Answer answer = observe(question, Source.LAKE, measured, reader.pid(), () -> ask(reader, question));
        for (int i = 1; question.maxMillis() > 0 && i < REPETITIONS; i++) {
            answer = observe(question, Source.LAKE, measured, reader.pid(), () -> ask(reader, question));
        }
        return answer;
    }

    // Long searches of PostgreSQL need no longer warm-up.
    private boolean asksPostgres(LakeQuestion question, int round, int measured) {
        boolean warmUp = question.filter() == null || round == 0 && question.maxMillis() > 0;
        return measured < 0 ? warmUp && bench.options.postgresRounds() > 0 : measured < bench.options.postgresRounds();
    }

    private void print() {
        figures.forEach((question, bySource) -> bySource.forEach((source, observed) -> bench.print(
                "        %s, %s: %.1f ms, CPU %.0f ms, %d runs in %d pages", question.name(), source.description,
                LakeBenchmark.median(observed.millis), 1000 * observed.cpuSeconds(), observed.answer.ids().size(),
                observed.answer.pages())));
    }

    private Answer observe(LakeQuestion question, Source source, int measured, long program, Supplier<Answer> search) {
        double cpuBefore = cpuSeconds(program);
        long startNanos = System.nanoTime();
        Answer answer = search.get();
        double millis = (System.nanoTime() - startNanos) / 1e6;
        double cpuSeconds = cpuSeconds(program) - cpuBefore;
        if (measured >= 0) {
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
    Answer ask(ServiceProcess service, LakeQuestion question) {
        ObjectNode request = Json.object().put("limit", LakeQuestion.LIMIT).put("partial", true);
        request.putArray("session").add(days.session().toString());
        question.addTo(request);
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

    private Answer ask(DuckDb duckDb, String columns, LakeQuestion question) {
        String sql = "SELECT " + columns + " FROM read_parquet(" + days.files() + ", hive_partitioning = false)"
                + " WHERE tenant_id = '" + bench.tenantId + "' AND session_id = '" + days.session()
                + "' AND " + question.sql() + " ORDER BY start_time DESC, id DESC LIMIT " + LakeQuestion.LIMIT;
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

    List<BenchmarkResult> results() {
        List<BenchmarkResult> results = new ArrayList<>();
        figures.forEach((question, bySource) -> {
            bySource.forEach((source, observed) -> results.add(BenchmarkResult.ofValues("lake",
                    String.format("%s of %,d runs, %s", question.name(), days.rows(), source.description), "ms",
                    observed.millis, 0.5, source == Source.LAKE && question.maxMillis() > 0 ? Goal.AT_MOST : Goal.NONE,
                    question.maxMillis())));
            results.add(ratio(question, bySource, Source.DUCKDB, question.maxCpuRatio()));
            results.add(ratio(question, bySource, Source.DUCKDB_KEYS, 0));
        });
        return results;
    }

    // Of all rounds together, because the system counts CPU in steps of 10 ms.
    private static BenchmarkResult ratio(LakeQuestion question, Map<Source, Figures> bySource, Source floor, double limit) {
        Pair pair = new Pair(cpuSeconds(bySource, Source.LAKE), cpuSeconds(bySource, floor));
        return BenchmarkResult.ofPairs("lake", "CPU of " + question.name() + " with the lake over " + floor.description,
                List.of(pair), Pair::ratio, limit > 0 ? Goal.AT_MOST : Goal.NONE, limit);
    }

    private static double cpuSeconds(Map<Source, Figures> bySource, Source source) {
        return Objects.requireNonNull(bySource.get(source)).cpuSeconds();
    }

    /** Where the runs are searched. */
    private enum Source {

        LAKE("with the lake"),
        POSTGRESQL("without the lake"),
        DUCKDB("DuckDB, all columns"),
        DUCKDB_KEYS("DuckDB, ids only");

        private final String description;

        Source(String description) {
            this.description = description;
        }
    }

    /** Ids of runs in the order of the response. */
    record Answer(List<String> ids, int pages) {
    }

    /** Observations of one question and source. */
    private static final class Figures {

        private final List<Double> millis = new ArrayList<>();
        private double cpuSum;
        private Answer answer = new Answer(List.of(), 0);

        private void add(double time, double cpuSeconds, Answer last) {
            millis.add(time);
            cpuSum += cpuSeconds;
            answer = last;
        }

        private double cpuSeconds() {
            return cpuSum / millis.size();
        }
    }
}
