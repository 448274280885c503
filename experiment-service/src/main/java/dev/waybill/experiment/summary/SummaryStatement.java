package dev.waybill.experiment.summary;

/**
 * SQL that aggregates the runs in ranges of start times to the columns of trace.run_summaries, by session and bucket of time.
 * Parameters: workspace, sessions, starts and ends of the ranges, origin and width of the buckets in seconds.
 */
final class SummaryStatement {

    /** A larger number of values in the distribution of an hour is rounded. */
    static final int MAX_EXACT_RUNS = 100;
    /** An hour with more runs that may depend on other hours is not summarized. */
    static final int MAX_LINKS = 4_000;

    static final String COLUMNS = """
            runs, errors, streamed, last_start, root_runs, root_errors, root_streamed, last_root_start, usage, usage_counts,
            root_usage, latency, first_token, root_latency, root_first_token""";

    // OFFSET 0 makes PostgreSQL read each range by the primary key.
    static final String RANGES = """
            FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) AS range (session_id, since, until) CROSS JOIN LATERAL (
                SELECT * FROM trace.runs WHERE tenant_id = $1 AND session_id = range.session_id
                    AND start_time >= range.since AND start_time < range.until OFFSET 0) AS r""";

    static final String HAS_TOKENS = "coalesce(greatest(prompt_tokens, completion_tokens, total_tokens) > 0, false)";
    static final String HAS_COSTS = "coalesce(greatest(prompt_cost, completion_cost, total_cost) > 0, false)";

    /** Values of a run in the sums of its period, costs in 10^-9; null for those that are not. */
    static final String COUNTED_VALUES = """
            CASE WHEN count_tokens THEN total_tokens END AS t1, CASE WHEN count_tokens THEN prompt_tokens END AS t2,
            CASE WHEN count_tokens THEN completion_tokens END AS t3,
            CASE WHEN count_costs THEN (total_cost * 1e9)::bigint END AS c1,
            CASE WHEN count_costs THEN (prompt_cost * 1e9)::bigint END AS c2,
            CASE WHEN count_costs THEN (completion_cost * 1e9)::bigint END AS c3""";

    private static final String FOUND = """
            WITH found AS MATERIALIZED (
                SELECT r.session_id, floor((extract(epoch FROM start_time) - $5::bigint) / $6::bigint)::bigint AS bucket, r.id,
                    parent_run_id IS NULL AS root, start_time, end_time, extract(epoch FROM end_time - start_time)::float8 AS latency,
                    extract(epoch FROM first_token_time - start_time)::float8 AS first_token, status = 'error' AS failed,
                    total_tokens, prompt_tokens, completion_tokens, total_cost, prompt_cost, completion_cost, parent_run_ids,
                    {has_tokens} AS has_tokens, {has_costs} AS has_costs
                {ranges}),
            """
            .replace("{ranges}", RANGES).replace("{has_tokens}", HAS_TOKENS).replace("{has_costs}", HAS_COSTS);

    private static final String AGGREGATED = """
            counted AS MATERIALIZED (
                SELECT found.*, above.tokens IS NOT TRUE AS count_tokens, above.costs IS NOT TRUE AS count_costs
                FROM found LEFT JOIN above USING ({scope}, id)),
            totals AS (
                SELECT session_id, bucket, count(*) AS runs, count(*) FILTER (WHERE failed) AS errors,
                    count(first_token) AS streamed, max(start_time) AS last_start, count(*) FILTER (WHERE root) AS root_runs,
                    count(*) FILTER (WHERE root AND failed) AS root_errors,
                    count(first_token) FILTER (WHERE root) AS root_streamed,
                    max(start_time) FILTER (WHERE root) AS last_root_start, {usage}
                FROM counted GROUP BY session_id, bucket),
            observed AS (
                SELECT session_id, bucket, kind + 2 * root::int AS kind, value
                FROM counted CROSS JOIN LATERAL (VALUES (0, latency), (1, first_token)) AS one (kind, value)
                WHERE value IS NOT NULL),
            sizes AS (
                SELECT session_id, bucket, kind, count(*) AS size, sum(count(*)) OVER (PARTITION BY session_id) AS session_size
                FROM observed GROUP BY session_id, bucket, kind),
            steps AS (
                SELECT session_id, bucket, kind, step, count(*)::int AS n
                FROM observed JOIN sizes USING (session_id, bucket, kind) CROSS JOIN LATERAL (
                    SELECT CASE WHEN {exact} OR value = 0 THEN value
                        ELSE sign(value) * 2 * power({step}::float8, ceil(ln(abs(value)) / ln({step}::float8))) / (1 + {step}::float8)
                        END AS step) AS rounded
                GROUP BY session_id, bucket, kind, step),
            distributions AS (
                SELECT session_id, bucket, {distributions}
                FROM steps GROUP BY session_id, bucket)
            """
            .replace("{usage}", usage())
            .replace("{distributions}", distributions())
            .replace("{step}", Double.toString(Distribution.STEP));

    // A bucket can be all of a session's time: its runs remain exact if summaries of their hours would be.
    private static final String EXACT_IN_BUCKETS = "(session_size <= " + Distribution.MAX_EXACT_VALUES + " OR size <= "
            + MAX_EXACT_RUNS + ")";

    private static final String ABOVE = """
            SELECT {scope}, parent.id, bool_or(has_tokens) AS tokens, bool_or(has_costs) AS costs
            FROM found CROSS JOIN unnest(parent_run_ids) AS parent (id) WHERE has_tokens OR has_costs
            GROUP BY {scope}, parent.id""";

    /** Aggregates buckets that do not depend on each other, with the runs that may depend on other buckets. */
    static final String HOURS = FOUND + ("above AS (" + ABOVE + "),\n" + AGGREGATED
            + """
                    , linked AS (
                        SELECT session_id, bucket, count(*) AS n,
                            string_agg(uuid_send(id) || set_byte('\\x00'::bytea, 0, tokens::int + 2 * costs::int), '') AS ancestors
                        FROM above WHERE NOT EXISTS (
                            SELECT FROM found WHERE found.session_id = above.session_id AND found.bucket = above.bucket AND found.id = above.id)
                        GROUP BY session_id, bucket),
                    open AS (
                        SELECT session_id, bucket, count(*) AS n,
                            string_agg(uuid_send(id) || {values}, '') FILTER (WHERE coalesce({counted}) IS NOT NULL) AS open_runs,
                            string_agg(uuid_send(id), '') FILTER (WHERE coalesce({counted}) IS NULL) AS other_open_runs
                        FROM counted CROSS JOIN LATERAL (SELECT {sent}) AS sent
                        WHERE end_time IS NULL OR end_time >= to_timestamp($5::bigint + (bucket + 1) * $6::bigint)
                        GROUP BY session_id, bucket)
                    SELECT session_id, to_timestamp($5::bigint + bucket * $6::bigint) AS hour, {columns},
                        CASE WHEN coalesce(linked.n, 0) <= {links} THEN coalesce(ancestors, '') END AS ancestors,
                        CASE WHEN open.n <= {links} THEN open_runs END AS open_runs,
                        CASE WHEN open.n <= {links} THEN other_open_runs END AS other_open_runs
                    FROM totals LEFT JOIN distributions USING (session_id, bucket) LEFT JOIN linked USING (session_id, bucket)
                        LEFT JOIN open USING (session_id, bucket)
                    """)
            .replace("{scope}", "session_id, bucket")
            .replace("{exact}", "size <= " + MAX_EXACT_RUNS)
            .replace("{columns}", COLUMNS)
            .replace("{links}", Integer.toString(MAX_LINKS))
            .replace("{values}",
                    "int8send(coalesce(t1, {none})) || int8send(coalesce(t2, {none})) || int8send(coalesce(t3, {none}))"
                            + " || int8send(coalesce(c1, {none})) || int8send(coalesce(c2, {none})) || int8send(coalesce(c3, {none}))")
            .replace("{none}", "(-9223372036854775808)")
            .replace("{counted}", "t1, t2, t3, c1, c2, c3")
            .replace("{sent}", COUNTED_VALUES);

    /**
     * Aggregates buckets together with the ancestors of other runs: sessions, ids, and whether the runs have tokens and costs.
     */
    static final String BUCKETS = FOUND
            + ("above AS (SELECT session_id, id, bool_or(tokens) AS tokens, bool_or(costs) AS costs FROM ("
                    + ABOVE + " UNION ALL SELECT * FROM unnest($7::uuid[], $8::uuid[], $9::boolean[], $10::boolean[])) AS every"
                    + " (session_id, id, tokens, costs) GROUP BY session_id, id),\n" + AGGREGATED + """
                            SELECT session_id, bucket, {columns}
                            FROM totals LEFT JOIN distributions USING (session_id, bucket)
                            """).replace("{scope}", "session_id").replace("{exact}", EXACT_IN_BUCKETS)
                    .replace("{columns}", COLUMNS);

    private SummaryStatement() {
    }

    private static String usage() {
        String tokens = "{f}(total_tokens) FILTER ({t}), {f}(prompt_tokens) FILTER ({t}), {f}(completion_tokens) FILTER ({t})";
        String costs = "{f}(total_cost) FILTER ({c}), {f}(prompt_cost) FILTER ({c}), {f}(completion_cost) FILTER ({c})";
        String usage = "ARRAY[" + tokens + ", " + costs + "]";
        return usage.replace("{f}", "sum").replace("{t}", "WHERE count_tokens").replace("{c}", "WHERE count_costs")
                + " AS usage, "
                + usage.replace("{f}", "count").replace("{t}", "WHERE count_tokens").replace("{c}", "WHERE count_costs")
                + " AS usage_counts, " + usage.replace("{f}", "sum").replace("{t}", "WHERE root").replace("{c}", "WHERE root")
                + " AS root_usage";
    }

    private static String distributions() {
        String[] columns = { "latency", "first_token", "root_latency", "root_first_token" };
        StringBuilder text = new StringBuilder();
        for (int kind = 0; kind < columns.length; kind++) {
            text.append(kind == 0 ? "" : ", ")
                    .append("string_agg(float8send(step) || int4send(n), '' ORDER BY step) FILTER (WHERE kind = ")
                    .append(kind)
                    .append(") AS ")
                    .append(columns[kind]);
        }
        return text.toString();
    }
}
