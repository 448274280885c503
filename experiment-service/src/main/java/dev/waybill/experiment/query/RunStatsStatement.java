package dev.waybill.experiment.query;

import java.util.UUID;

import dev.waybill.common.trace.FeedbackSummary;
import io.vertx.mutiny.sqlclient.Tuple;

/** SQL statement for statistics of the runs that match a query, of all of them or by time. */
record RunStatsStatement(String text, Tuple values) {

    /** The matching runs, and whether the tokens and costs of descendants among them count instead of their own. */
    private static final String COUNTED = """
            WITH found AS MATERIALIZED (
                SELECT runs.id, runs.parent_run_ids, runs.start_time, runs.end_time, runs.first_token_time, runs.status,
                    runs.total_tokens, runs.prompt_tokens, runs.completion_tokens, runs.total_cost, runs.prompt_cost,
                    runs.completion_cost, {tokens} AS has_tokens, {costs} AS has_costs
                FROM ({runs}) AS runs WHERE TRUE {conditions}),
            above AS (
                SELECT parent.id, bool_or(has_tokens) AS tokens, bool_or(has_costs) AS costs
                FROM found CROSS JOIN unnest(parent_run_ids) AS parent (id) WHERE has_tokens OR has_costs GROUP BY parent.id),
            counted AS MATERIALIZED (
                SELECT found.*, id IN (SELECT above.id FROM above WHERE above.tokens) AS tokens_below,
                    id IN (SELECT above.id FROM above WHERE above.costs) AS costs_below
                FROM found)
            """;

    private static final String USAGE = "{total_tokens}, {prompt_tokens}, {completion_tokens}, {total_cost}, {prompt_cost},"
            + " {completion_cost}";

    private static final String STATS = expand(COUNTED + """
            SELECT count(*) AS run_count,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM end_time - start_time)::float8)
                    AS latency,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP
                    (ORDER BY extract(epoch FROM first_token_time - start_time)::float8) AS first_token,
                {usage},
                max(start_time) AS last_run_start_time, avg((status = 'error')::int::float8) AS error_rate,
                avg((first_token_time IS NOT NULL)::int::float8) AS streaming_rate,
                (SELECT json_object_agg(by_key.key, json_build_object('n', by_key.n, 'avg', by_key.avg, 'stdev', by_key.stdev,
                        'min', by_key.min, 'max', by_key.max, 'values', {labels}) ORDER BY by_key.key)::text
                    FROM (SELECT f.key, count(*) FILTER (WHERE f.score IS NOT NULL OR f.value IS NOT NULL) AS n,
                            avg(f.score) FILTER (WHERE abs(f.score) < 1e150) AS avg,
                            stddev_pop(f.score) FILTER (WHERE abs(f.score) < 1e150) AS stdev,
                            min(f.score) AS min, max(f.score) AS max
                        FROM trace.feedback f WHERE f.tenant_id = {tenant} AND f.run_id IN (SELECT id FROM found)
                        GROUP BY f.key) by_key) AS feedback_stats
            FROM counted
            """);

    private static final String STATS_BY_TIME = expand(COUNTED + """
            SELECT floor((extract(epoch FROM start_time) - {origin}) / {width})::bigint AS bucket, count(*) AS run_count,
                count(*) FILTER (WHERE status = 'error') AS error_count,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM end_time - start_time)::float8)
                    AS latency,
                percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM first_token_time - start_time)::float8)
                    AS first_token,
                {usage}
            FROM counted GROUP BY 1
            """);

    private static final String LABELS = """
            coalesce((SELECT json_object_agg(counted.label, counted.n ORDER BY counted.n DESC, counted.label)
                FROM (SELECT left(f.label, {longest}) AS label, count(*) AS n FROM trace.feedback f
                    WHERE f.tenant_id = {tenant} AND f.run_id IN (SELECT id FROM found) AND f.key = by_key.key
                        AND f.label IS NOT NULL
                    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {most}) counted), '{}')"""
            .replace("{longest}", Integer.toString(FeedbackSummary.MAX_LABEL_LENGTH))
            .replace("{most}", Integer.toString(FeedbackSummary.MAX_LABELS));

    static RunStatsStatement of(UUID tenantId, RunQueryParser.RunQuery query) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        return new RunStatsStatement(withRuns(STATS, query, parameters)
                .replace("{labels}", LABELS)
                .replace("{tenant}", tenant), parameters.values());
    }

    /** Returns the statement for the statistics of each bucket with runs, by its index. */
    static RunStatsStatement byTime(UUID tenantId, RunQueryParser.RunQuery query, BucketWidth width) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        return new RunStatsStatement(withRuns(STATS_BY_TIME, query, parameters)
                .replace("{origin}", parameters.of(BucketWidth.ORIGIN))
                .replace("{width}", parameters.of(width.seconds()))
                .replace("{tenant}", tenant), parameters.values());
    }

    private static String withRuns(String statement, RunQueryParser.RunQuery query, SqlParameters parameters) {
        RunQueryStatement.Runs runs = RunQueryStatement.runs(query, parameters);
        return statement.replace("{runs}", runs.select()).replace("{conditions}", runs.conditions());
    }

    private static String expand(String statement) {
        return statement
                .replace("{usage}", USAGE)
                .replace("{tokens}",
                        "coalesce(greatest(runs.prompt_tokens, runs.completion_tokens, runs.total_tokens) > 0, FALSE)")
                .replace("{costs}", "coalesce(greatest(runs.prompt_cost, runs.completion_cost, runs.total_cost) > 0, FALSE)")
                .replaceAll("\\{(\\w+_tokens)}", "sum($1) FILTER (WHERE NOT tokens_below) AS $1")
                .replaceAll("\\{(\\w+_cost)}", "sum($1) FILTER (WHERE NOT costs_below) AS $1");
    }
}
