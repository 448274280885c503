package dev.waybill.bench;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;

/** Compares the CPU time of the first page of a comparison of three experiments with equivalent plain SQL. */
final class ComparisonBenchmark {

    private static final int EXPERIMENTS = 3;
    private static final List<String> KEYS = List.of("correct", "graded", "similarity");

    private final BenchmarkContext bench;
    private final UUID dataset = UUID.randomUUID();
    private final List<UUID> experiments = new ArrayList<>();

    ComparisonBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        int rows = bench.options.comparedRows();
        bench.print("Loading %d experiments of %,d rows ...", EXPERIMENTS, rows);
        load(rows);
        List<Pair> pages = new ArrayList<>();
        List<Pair> worst = new ArrayList<>();
        List<Pair> first = new ArrayList<>();
        List<Pair> next = new ArrayList<>();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuUsage page = compareAfterChange(rows, Json.object());
            CpuUsage sorted = compareAfterChange(rows, worstFirst());
            CpuUsage firstRows = compareAfterChange(rows, rowsOnly());
            CpuUsage nextRows = compare(rows, rowsOnly().put("offset", 20));
            CpuUsage plain = plain();
            bench.print("%s first page %s, worse rows first %s, their first rows only %s, the next rows %s, plain SQL %s",
                    BenchmarkContext.round(round), text(page), text(sorted), text(firstRows), text(nextRows), text(plain));
            if (round > 0) {
                pages.add(new Pair(page.seconds(), plain.seconds()));
                worst.add(new Pair(sorted.seconds(), plain.seconds()));
                first.add(new Pair(firstRows.seconds(), plain.seconds()));
                next.add(new Pair(nextRows.seconds(), plain.seconds()));
            }
        }
        remove();
        return List.of(result("the first page, by example,", rows, pages, 5),
                result("the first page, worst first,", rows, worst, 5),
                result("the first rows without summary, worst first,", rows, first, 1),
                result("the next rows without summary, worst first,", rows, next, 0.1));
    }

    private static BenchmarkResult result(String step, int rows, List<Pair> pairs, double limit) {
        String description = String.format("CPU of %s of %d experiments of %,d rows over plain SQL", step, EXPERIMENTS, rows);
        return BenchmarkResult.ofPairs("compare", description, pairs, Pair::ratio, Goal.AT_MOST, limit);
    }

    private static ObjectNode worstFirst() {
        return Json.object().put("feedback_key", "graded").put("sort", "difference").put("filter", "worse");
    }

    private static ObjectNode rowsOnly() {
        ObjectNode request = worstFirst();
        request.putArray("parts").add("rows");
        return request;
    }

    private static String text(CpuUsage usage) {
        return "%.2f (client or service %.2f, PostgreSQL %.2f)".formatted(usage.seconds(), usage.program(), usage.postgres());
    }

    // Nothing that was computed before is valid after a change.
    private CpuUsage compareAfterChange(int rows, ObjectNode request) {
        execute("SELECT trace.record_change('" + bench.tenantId + "', '" + experiments.getFirst() + "')");
        return compare(rows, request);
    }

    private CpuUsage compare(int rows, ObjectNode request) {
        experiments.forEach(id -> request.withArray("experiment_ids").add(id.toString()));
        URI address = bench.stack.service(ServiceKind.EXPERIMENT).address()
                .resolve("/api/v1/datasets/" + dataset + "/comparison");
        CpuStopwatch watch = bench.startStopwatch(ServiceKind.EXPERIMENT);
        JsonNode response = bench.client.json().post(address, request);
        CpuUsage usage = watch.stop(0);
        JsonNode scored = response.at("/experiments/1/feedback/graded/n");
        if (response.required("rows").size() != 20 || !scored.isMissingNode() && scored.asInt() != rows) {
            throw new IllegalStateException("the comparison does not match the loaded rows: " + response);
        }
        return usage;
    }

    private CpuUsage plain() {
        String of = "tenant_id = '" + bench.tenantId + "' AND session_id IN ('"
                + String.join("', '", experiments.stream().map(UUID::toString).toList()) + "')";
        String scoreSql = """
                WITH s AS (
                    SELECT r.session_id, r.reference_example_id AS example_id, f.key, avg(f.score) AS score
                    FROM (SELECT * FROM trace.runs WHERE %1$s AND parent_run_id IS NULL) r
                    JOIN (SELECT * FROM trace.feedback WHERE %1$s) f ON f.run_id = r.id GROUP BY 1, 2, 3)
                SELECT s.session_id, s.key, count(*), avg(s.score), avg(s.score - b.score), stddev(s.score - b.score),
                    count(*) FILTER (WHERE s.score > b.score), count(*) FILTER (WHERE s.score < b.score)
                FROM s LEFT JOIN s b ON b.session_id = '%2$s' AND b.example_id = s.example_id AND b.key = s.key
                GROUP BY 1, 2""".formatted(of, experiments.getFirst());
        String runs = "SELECT session_id, count(*), avg((status = 'error')::int), percentile_cont(0.5) WITHIN GROUP "
                + "(ORDER BY end_time - start_time) FROM trace.runs WHERE " + of + " GROUP BY session_id";
        String page = "SELECT r.*, e.inputs, e.outputs FROM trace.runs r JOIN trace.examples e ON e.id = reference_example_id"
                + " AND e.tenant_id = r.tenant_id WHERE r." + of + " AND e.id IN (SELECT DISTINCT reference_example_id"
                + " FROM trace.runs WHERE " + of + " ORDER BY 1 LIMIT 20)";
        double program = 0;
        double postgres = 0;
        for (String sql : List.of(scoreSql, runs, page)) {
            CpuUsage usage = bench.worker.run("copy-out", bench.stack.superuserUrl(), "COPY (SELECT 1) TO STDOUT",
                    "COPY (" + sql + ") TO STDOUT");
            program += usage.program();
            postgres += usage.postgres();
        }
        return new CpuUsage(program, postgres, 0);
    }

    private void load(int rows) {
        execute("SELECT trace.make_runs_partition('2026-11-20Z')");
        execute("""
                INSERT INTO trace.datasets (tenant_id, id, name, externally_managed, created_at, modified_at)
                VALUES ('%1$s', '%2$s', 'bench-compared', true, now(), now());
                INSERT INTO trace.examples (tenant_id, id, dataset_id, row_id, inputs, outputs, created_at, modified_at)
                SELECT '%1$s', id, '%2$s', id, '{"question": "' || %4$s || '"}', '{"answer": "' || %4$s || '"}', now(), now()
                FROM (SELECT i, md5('%2$s e' || i)::uuid AS id FROM generate_series(1, %3$d) i) e
                """.formatted(bench.tenantId, dataset, rows, words("i", 12)));
        for (int i = 0; i < EXPERIMENTS; i++) {
            UUID experiment = UUID.randomUUID();
            experiments.add(experiment);
            execute("""
                    INSERT INTO trace.sessions (tenant_id, id, name, start_time, reference_dataset_id, uploaded, created_at,
                        modified_at)
                    VALUES ('%1$s', '%3$s', 'bench-compared-%5$d', now(), '%2$s', true, now(), now());
                    INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, reference_example_id, name,
                        run_type, status, dotted_order, inputs, outputs)
                    SELECT '%1$s', id, '%3$s', at, at + (i %% 900) * interval '10 ms', id, md5('%2$s e' || i)::uuid, 'answer',
                        'chain', CASE WHEN i %% 50 = 0 THEN 'error' ELSE 'success' END, id::text,
                        '{"question": "' || %6$s || '"}', '{"answer": "' || %7$s || '"}'
                    FROM (SELECT i, md5('%3$s r' || i)::uuid AS id, timestamptz '2026-11-20 08:00Z' + i * interval '100 ms' AS at
                        FROM generate_series(1, %4$d) i) r
                    """
                    .formatted(bench.tenantId, dataset, experiment, rows, i, words("i", 12), words("i + " + i, 20)));
            for (String key : KEYS) {
                execute("""
                        INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, created_at, modified_at)
                        SELECT '%1$s', gen_random_uuid(), md5('%2$s r' || i)::uuid, '%2$s', '%4$s', %5$s, now(), now()
                        FROM generate_series(1, %3$d) i
                        """.formatted(bench.tenantId, experiment, rows, key, score(key)));
            }
        }
        execute("ANALYZE trace.runs, trace.examples, trace.feedback, trace.sessions");
    }

    private static String score(String key) {
        return switch (key) {
            case "correct" -> "(random() < 0.8)::int";
            case "graded" -> "floor(random() * 5) + 1";
            default -> "random()";
        };
    }

    /** Returns SQL for text with words of 32 characters, which compresses as poorly as prompts. */
    private static String words(String seed, int count) {
        return "(SELECT string_agg(md5((" + seed + ") || ' ' || w), ' ') FROM generate_series(1, " + count + ") w)";
    }

    private void remove() {
        String all = "tenant_id = '" + bench.tenantId + "' AND session_id IN ('"
                + String.join("', '", experiments.stream().map(UUID::toString).toList()) + "')";
        execute("DELETE FROM trace.feedback WHERE " + all + "; DELETE FROM trace.runs WHERE " + all
                + "; DELETE FROM trace.examples WHERE dataset_id = '" + dataset + "'; DELETE FROM trace.sessions WHERE"
                + " reference_dataset_id = '" + dataset + "'; DELETE FROM trace.datasets WHERE id = '" + dataset + "'");
        execute("VACUUM trace.runs");
        execute("VACUUM trace.feedback");
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(bench.stack.superuserUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
