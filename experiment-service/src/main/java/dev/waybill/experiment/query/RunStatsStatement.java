package dev.waybill.experiment.query;

import java.util.UUID;

import dev.waybill.common.trace.FeedbackSummary;
import io.vertx.mutiny.sqlclient.Tuple;

/** SQL statement for the statistics of all runs that match a query. */
record RunStatsStatement(String text, Tuple values) {

    private static final String STATS = """
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
            SELECT count(*) AS run_count,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM end_time - start_time)::float8)
                    AS latency,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP
                    (ORDER BY extract(epoch FROM first_token_time - start_time)::float8) AS first_token,
                {total_tokens}, {prompt_tokens}, {completion_tokens}, {total_cost}, {prompt_cost}, {completion_cost},
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
            """
            .replace("{tokens}", "coalesce(greatest(runs.prompt_tokens, runs.completion_tokens, runs.total_tokens) > 0, FALSE)")
            .replace("{costs}", "coalesce(greatest(runs.prompt_cost, runs.completion_cost, runs.total_cost) > 0, FALSE)")
            .replaceAll("\\{(\\w+_tokens)}", "sum($1) FILTER (WHERE NOT tokens_below) AS $1")
            .replaceAll("\\{(\\w+_cost)}", "sum($1) FILTER (WHERE NOT costs_below) AS $1");

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
        RunQueryStatement.Runs runs = RunQueryStatement.runs(query, parameters);
        String text = STATS.replace("{runs}", runs.select())
                .replace("{conditions}", runs.conditions())
                .replace("{labels}", LABELS)
                .replace("{tenant}", tenant);
        return new RunStatsStatement(text, parameters.values());
    }
}
