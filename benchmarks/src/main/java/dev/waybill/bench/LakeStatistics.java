package dev.waybill.bench;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
    /** Copies of the days that make a year. */
    private static final int COPIES = 36;
    private static final String COLUMNS = """
            runs, errors, streamed, last_start, root_runs, root_errors, root_streamed, last_root_start, usage, usage_counts,
            root_usage, latency, first_token, root_latency, root_first_token, ancestors, open_runs, other_open_runs""";
    private static final String COPY_SUMMARIES = """
            INSERT INTO trace.%6$s (tenant_id, session_id, %7$s, %1$s)
            SELECT tenant_id, '%2$s', %7$s - n * %3$d * interval '24 hours', %1$s
            FROM trace.%6$s CROSS JOIN generate_series(0, %4$d) AS n WHERE session_id = '%5$s' ON CONFLICT DO NOTHING
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
        Map<String, URI> requests = requests(reader.address().resolve("/api/v1/sessions"));
        for (int round = 0; round < LakeBenchmark.WARM_UP_ROUNDS + bench.options.pairs(); round++) {
            Map<String, List<Double>> target = round < LakeBenchmark.WARM_UP_ROUNDS ? new HashMap<>() : figures;
            requests.forEach((name, address) -> requireAllRuns(measure(name, address, target)));
        }
    }

    private JsonNode measure(String name, URI address, Map<String, List<Double>> target) {
        long startNanos = System.nanoTime();
        JsonNode response = bench.client.json().get(address);
        target.computeIfAbsent(name, _ -> new ArrayList<>()).add((System.nanoTime() - startNanos) / 1e6);
        return response;
    }

    private Map<String, URI> requests(URI sessions) {
        URI session = URI.create(sessions + "/" + days.session());
        Map<String, URI> requests = new LinkedHashMap<>();
        requests.put("statistics of the session", URI.create(session + "?include_stats=true"));
        requests.put("list of sessions with statistics", URI.create(sessions + "?include_stats=true"));
        for (String order : List.of("runs_count", "last_run_start_time", "latency_p99")) {
            requests.put("list of sessions by " + order,
                    URI.create(sessions + "?include_stats=true&sort_by=" + order));
        }
        requests.put("chart of 30 days by 6 hours", chart(session, days.end().minus(CHART), days.end(), "6h"));
        requests.put("chart of 30 days by hour", chart(session, days.end().minus(CHART), days.end(), "1h"));
        requests.put("chart of 30 days by day", chart(session, days.end().minus(CHART), days.end(), "1d"));
        return requests;
    }

    /** Measures a session with a year of hours and days, copies of those of the measured session without their runs. */
    void measureYear(ServiceProcess reader) {
        UUID year = UUID.randomUUID();
        days.execute("INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at) VALUES ('"
                + bench.tenantId + "', '" + year + "', 'bench-lake-year', now(), now(), now())");
        copySummaries(year, "run_summaries", "hour");
        copySummaries(year, "run_daily_summaries", "day");
        days.execute("DELETE FROM trace.run_summary_days WHERE session_id = '" + year + "'");
        URI sessions = reader.address().resolve("/api/v1/sessions/");
        Map<String, URI> requests = Map.of("statistics of a session with a year of hours",
                sessions.resolve(year + "?include_stats=true"), "chart of 30 days by hour, with runs in all hours",
                chart(sessions.resolve(year.toString()), days.end().minus(CHART), days.end(), "1h"));
        for (int round = 0; round < LakeBenchmark.WARM_UP_ROUNDS + bench.options.pairs(); round++) {
            Map<String, List<Double>> target = round < LakeBenchmark.WARM_UP_ROUNDS ? new HashMap<>() : figures;
            requests.forEach((name, address) -> measure(name, address, target));
        }
        summarized = (double) traces(sessions, year) / (COPIES * traces(sessions, days.session()));
        for (String table : List.of("run_summaries", "run_daily_summaries", "run_summary_days")) {
            days.execute("DELETE FROM trace." + table + " WHERE session_id = '" + year + "'");
        }
        days.execute("DELETE FROM trace.sessions WHERE id = '" + year + "'");
        print();
    }

    private void copySummaries(UUID year, String table, String period) {
        days.execute(COPY_SUMMARIES.formatted(COLUMNS, year, LakeDays.DAYS, COPIES - 1, days.session(), table, period));
        days.execute("ANALYZE trace." + table);
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
    private void requireAllRuns(JsonNode response) {
        long runs = 0;
        for (JsonNode bucket : response.path("buckets")) {
            runs += bucket.required("run_count").longValue();
        }
        JsonNode largest = response.isArray() ? response.path(0) : response;
        if (response.has("buckets") ? runs != days.rows() : largest.path("run_count").asLong() == 0) {
            throw new IllegalStateException("the figures do not contain all runs: " + response);
        }
    }

    List<BenchmarkResult> results() {
        List<BenchmarkResult> results = new ArrayList<>();
        figures.forEach((name, millis) -> results.add(BenchmarkResult.ofValues("lake", name + " from summaries", "ms",
                millis, 0.5, Goal.AT_MOST, MAX_MILLIS)));
        results.add(
                BenchmarkResult.ofValues("lake", "runs of a year that are read from summaries", "", List.of(summarized), 0.5,
                        Goal.AT_LEAST, 1));
        return results;
    }
}
