package dev.waybill.experiment.v2;

import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.QueryThreadsRequest;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.experiment.query.SqlParameters;
import dev.waybill.experiment.run.RemovedSessions;
import dev.waybill.experiment.run.TextPreview;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * SQL statement for one page of threads. It groups the root runs in the time range first, then reads documents and
 * descendant runs only of the traces on the page.
 */
record ThreadStatement(String text, Tuple values) {

    private static final String PAGE = """
            WITH page AS MATERIALIZED (
                SELECT runs.thread_id, count(*) AS traces, count(*) FILTER (WHERE runs.status = 'error') AS errored,
                    min(runs.start_time) AS min_start, max(runs.start_time) AS max_start,
                    percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP
                        (ORDER BY extract(epoch FROM runs.end_time - runs.start_time)::float8) AS latency
                FROM trace.runs AS runs
                WHERE {root} AND runs.thread_id IS NOT NULL
                GROUP BY runs.thread_id
                HAVING TRUE {having}
                ORDER BY max(runs.start_time) DESC, runs.thread_id COLLATE "C" DESC
                LIMIT {limit}),
            used AS MATERIALIZED (
                SELECT page.thread_id, r.id, r.parent_run_ids, r.total_tokens, r.total_cost,
                    coalesce(greatest(r.prompt_tokens, r.completion_tokens, r.total_tokens) > 0, FALSE) AS has_tokens,
                    coalesce(greatest(r.prompt_cost, r.completion_cost, r.total_cost) > 0, FALSE) AS has_costs
                FROM page
                    CROSS JOIN LATERAL (SELECT runs.trace_id FROM trace.runs AS runs
                        WHERE {root} AND runs.thread_id = page.thread_id OFFSET 0) root
                    CROSS JOIN LATERAL (SELECT * FROM trace.runs AS runs
                        WHERE runs.tenant_id = {tenant} AND runs.trace_id = root.trace_id AND {not_removed} OFFSET 0) r),
            above AS (
                SELECT parent.id, bool_or(has_tokens) AS tokens, bool_or(has_costs) AS costs
                FROM used CROSS JOIN unnest(parent_run_ids) AS parent (id) WHERE has_tokens OR has_costs GROUP BY parent.id),
            usage AS (
                SELECT thread_id,
                    sum(total_tokens) FILTER (WHERE id NOT IN (SELECT above.id FROM above WHERE above.tokens)) AS tokens,
                    sum(total_cost) FILTER (WHERE id NOT IN (SELECT above.id FROM above WHERE above.costs)) AS cost
                FROM used GROUP BY thread_id)
            SELECT page.*, usage.tokens, usage.cost, first.trace_id AS first_trace, first.inputs, last.trace_id AS last_trace,
                last.outputs, failed.error
            FROM page LEFT JOIN usage USING (thread_id)
                CROSS JOIN LATERAL (SELECT runs.trace_id, left(runs.inputs, {preview}) AS inputs FROM trace.runs AS runs
                    WHERE {root} AND runs.thread_id = page.thread_id ORDER BY runs.start_time, runs.id LIMIT 1) first
                CROSS JOIN LATERAL (SELECT runs.trace_id, left(runs.outputs, {preview}) AS outputs FROM trace.runs AS runs
                    WHERE {root} AND runs.thread_id = page.thread_id ORDER BY runs.start_time DESC, runs.id DESC LIMIT 1) last
                LEFT JOIN LATERAL (SELECT left(runs.error, 250) AS error FROM trace.runs AS runs
                    WHERE {root} AND runs.thread_id = page.thread_id AND runs.error IS NOT NULL
                    ORDER BY runs.start_time DESC, runs.id DESC LIMIT 1) failed ON TRUE
            ORDER BY page.max_start DESC, page.thread_id COLLATE "C" DESC
            """;
    private static final String ROOT = """
            runs.tenant_id = {tenant} AND runs.session_id = {session} AND runs.parent_run_id IS NULL AND runs.start_time >= {from} \
            AND runs.start_time < {to}""";
    private static final String IN_TRACE = """
            EXISTS (SELECT FROM trace.runs AS other
                WHERE other.tenant_id = {tenant} AND other.trace_id = runs.trace_id AND {condition} OFFSET 0)""";

    static ThreadStatement of(UUID tenantId, QueryThreadsRequest request, TimeWindow window, @Nullable ThreadKey after,
            int limit) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        String session = parameters.of(request.projectId());
        String from = parameters.of(window.from());
        String to = parameters.of(window.to());
        String text = PAGE.replace("{having}", having(request, after, parameters))
                .replace("{limit}", parameters.of((long) limit))
                .replace("{preview}", Integer.toString(TextPreview.SOURCE_LENGTH))
                .replace("{root}", ROOT)
                .replace("{not_removed}", RemovedSessions.excludedFrom("runs"))
                .replace("{session}", session)
                .replace("{from}", from)
                .replace("{to}", to)
                .replace("{tenant}", tenant);
        return new ThreadStatement(text, parameters.values());
    }

    private static String having(QueryThreadsRequest request, @Nullable ThreadKey after, SqlParameters parameters) {
        StringBuilder having = new StringBuilder();
        if (after != null) {
            having.append("AND (max(runs.start_time), runs.thread_id COLLATE \"C\") < (")
                    .append(parameters.of(after.startTime())).append(", ").append(parameters.of(after.threadId()))
                    .append(" COLLATE \"C\") ");
        }
        for (String filter : new @Nullable String[] { request.filter(), request.traceFilter() }) {
            Filter parsed = parse(filter);
            if (parsed != null) {
                having.append("AND bool_or(").append(parameters.of(parsed, "runs")).append(") ");
            }
        }
        Filter tree = parse(request.treeFilter());
        if (tree != null) {
            having.append("AND bool_or(").append(IN_TRACE.replace("{condition}", parameters.of(tree, "other"))).append(')');
        }
        return having.toString();
    }

    // QueryValidators has validated the filter.
    private static @Nullable Filter parse(@Nullable String filter) {
        return FilterMembers.read("filter", filter, new ArrayList<>());
    }

    /** Sort key of a thread for keyset pagination. */
    record ThreadKey(Instant startTime, String threadId) {
    }
}
