package dev.waybill.bench;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.stack.ServiceProcess;

/** Measures statistics and charts of a large session. */
final class LakeStatistics {

    private static final double MAX_MILLIS = 100;
    private static final Duration CHART = Duration.ofDays(30);
    /** A request has at most 200 buckets. */
    private static final Duration PART = Duration.ofHours(180);

    /** Copies of the days that make a year. */
    private static final int COPIES = 36;
    private static final String COLUMNS = """
            runs, errors, streamed, last_start, root_runs, root_errors, root_streamed, last_root_start, usage, usage_counts,
            root_usage, latency, first_token, root_latency, root_first_token, ancestors, open_runs, other_open_runs""";
    private static final String COPY_SUMMARIES = """
            INSERT INTO trace.run_summaries (tenant_id, session_id, hour, %1$s)
            SELECT tenant_id, '%2$s', hour - n * %3$d * interval '1 day', %1$s
            FROM trace.run_summaries CROSS JOIN generate_series(0, %4$d) AS n WHERE session_id = '%5$s'
            """;

    private final BenchmarkContext bench;
    private final LakeDays days;
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();
    private double summarized;

    LakeStatistics(BenchmarkContext bench, LakeDays days) {
        this.bench = bench;
        this.days = days;
    }

    void measure(ServiceProcess reader) {
        Map<String, List<URI>> requests = requests(reader.address().resolve("/api/v1/sessions"));
        for (int round = 0; round < LakeBenchmark.WARM_UP_ROUNDS + bench.options.pairs(); round++) {
            for (Map.Entry<String, List<URI>> request : requests.entrySet()) {
                List<JsonNode> responses = new ArrayList<>();
                long startNanos = System.nanoTime();
                for (URI address : request.getValue()) {
                    responses.add(bench.client.json().get(address));
                }
                double millis = (System.nanoTime() - startNanos) / 1e6;
                requireAllRuns(responses);
                if (round >= LakeBenchmark.WARM_UP_ROUNDS) {
                    figures.computeIfAbsent(request.getKey(), _ -> new ArrayList<>()).add(millis);
                }
            }
        }
    }

    private Map<String, List<URI>> requests(URI sessions) {
        URI session = URI.create(sessions + "/" + days.session());
        Map<String, List<URI>> requests = new LinkedHashMap<>();
        requests.put("statistics of the session", List.of(URI.create(session + "?include_stats=true")));
        requests.put("list of sessions with statistics", List.of(URI.create(sessions + "?include_stats=true")));
        for (String order : List.of("runs_count", "last_run_start_time", "latency_p99")) {
            requests.put("list of sessions by " + order,
                    List.of(URI.create(sessions + "?include_stats=true&sort_by=" + order)));
        }
        requests.put("chart of 30 days by 6 hours", List.of(chart(session, days.end().minus(CHART), days.end(), "6h")));
        List<URI> parts = new ArrayList<>();
        for (Instant start = days.end().minus(CHART); start.isBefore(days.end()); start = start.plus(PART)) {
            parts.add(chart(session, start, start.plus(PART), "1h"));
        }
        requests.put("chart of 30 days by hour, four requests", parts);
        return requests;
    }

    /** Measures a session with a year of summaries, copies of those of the measured session without their runs. */
    void measureYear(ServiceProcess reader) {
        UUID year = UUID.randomUUID();
        days.execute("INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at) VALUES ('"
                + bench.tenantId + "', '" + year + "', 'bench-lake-year', now(), now(), now())");
        days.execute(COPY_SUMMARIES.formatted(COLUMNS, year, LakeDays.DAYS, COPIES - 1, days.session()));
        days.execute("ANALYZE trace.run_summaries");
        URI sessions = reader.address().resolve("/api/v1/sessions/");
        for (int round = 0; round < LakeBenchmark.WARM_UP_ROUNDS + bench.options.pairs(); round++) {
            long startNanos = System.nanoTime();
            long found = traces(sessions, year);
            double millis = (System.nanoTime() - startNanos) / 1e6;
            if (round >= LakeBenchmark.WARM_UP_ROUNDS) {
                figures.computeIfAbsent("statistics of a session with a year of hours", _ -> new ArrayList<>()).add(millis);
                summarized = (double) found / (COPIES * traces(sessions, days.session()));
            }
        }
        days.execute("DELETE FROM trace.run_summaries WHERE session_id = '" + year + "'");
        days.execute("DELETE FROM trace.sessions WHERE id = '" + year + "'");
        print();
    }

    private long traces(URI sessions, UUID session) {
        return bench.client.json().get(sessions.resolve(session + "?include_stats=true")).required("run_count").longValue();
    }

    private void print() {
        figures.forEach((name, millis) -> bench.print("        %s: %.1f ms", name, LakeBenchmark.median(millis)));
        bench.print("        of the year, %.2f were read from summaries", summarized);
    }

    private static URI chart(URI session, Instant start, Instant end, String interval) {
        return URI.create(session + "/runs/stats?interval=" + interval + "&start_time=" + start + "&end_time=" + end);
    }

    // The number of a session is that of its traces.
    private void requireAllRuns(List<JsonNode> responses) {
        JsonNode first = responses.getFirst();
        long runs = 0;
        for (JsonNode response : responses) {
            for (JsonNode bucket : response.path("buckets")) {
                runs += bucket.required("run_count").longValue();
            }
        }
        JsonNode largest = first.isArray() ? first.path(0) : first;
        if (first.has("buckets") ? runs != days.rows() : largest.path("run_count").asLong() == 0) {
            throw new IllegalStateException("the figures do not contain all runs: " + first);
        }
    }

    List<BenchmarkResult> results() {
        List<BenchmarkResult> results = new ArrayList<>();
        figures.forEach((name, millis) -> results.add(BenchmarkResult.ofValues("lake", name + " from hourly summaries", "ms",
                millis, 0.5, Goal.AT_MOST, MAX_MILLIS)));
        results.add(
                BenchmarkResult.ofValues("lake", "runs of a year that are read from summaries", "", List.of(summarized), 0.5,
                        Goal.AT_LEAST, 1));
        return results;
    }
}
