package dev.waybill.experiment.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterField;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;
import dev.waybill.experiment.run.RemovedSessions;
import dev.waybill.experiment.run.RunField;
import dev.waybill.experiment.run.RunResponseMapper;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * SQL statement for one page of runs. It first reads the keys of at most one page from one index, then only the runs of
 * the page, so it does not read large columns of runs that it does not return.
 */
record RunQueryStatement(String text, Tuple values) {

    // LIMIT 1 and OFFSET 0 are optimization fences: without them, PostgreSQL may read all runs of a session first.
    private static final String PAGE = """
            WITH found AS MATERIALIZED ({keys}),
            page AS (
                SELECT found.*, row_number() OVER in_order AS position, sum(found.size) OVER in_order - found.size AS preceding_size
                FROM found WINDOW in_order AS (ORDER BY start_time {direction}, id {direction} ROWS UNBOUNDED PRECEDING))
            SELECT {columns}, (SELECT count(*) FROM found) AS found, page.preceding_size + page.size AS page_size
            FROM page CROSS JOIN LATERAL (
                SELECT * FROM trace.runs WHERE tenant_id = {tenant} AND session_id = page.session_id
                    AND start_time = page.start_time AND id = page.id
                LIMIT 1) AS runs
            WHERE page.position <= {limit} AND page.preceding_size < {max_bytes}
            ORDER BY page.position
            """;

    private static final String KEYS_BY_SESSION = """
            SELECT candidate.* FROM ({existing_sessions}) AS requested CROSS JOIN LATERAL (
                SELECT runs.session_id, runs.start_time, runs.id, {size} AS size FROM trace.runs AS runs
                WHERE runs.tenant_id = {tenant} AND runs.session_id = requested.session_id {conditions}
                ORDER BY runs.start_time {direction}, runs.id {direction}
                LIMIT {limit_plus_one}) AS candidate
            ORDER BY candidate.start_time {direction}, candidate.id {direction}
            LIMIT {limit_plus_one}""";

    private static final String KEYS_AMONG = """
            SELECT candidate.* FROM unnest({candidate_sessions}, {start_times}, {ids}) AS listed (session_id, start_time, id)
            CROSS JOIN LATERAL (
                SELECT runs.session_id, runs.start_time, runs.id, {size} AS size FROM trace.runs AS runs
                WHERE runs.tenant_id = {tenant} AND runs.session_id = listed.session_id
                    AND runs.start_time = listed.start_time AND runs.id = listed.id {conditions}
                LIMIT 1) AS candidate
            WHERE candidate.session_id IN ({existing_sessions})
            ORDER BY candidate.start_time {direction}, candidate.id {direction}
            LIMIT {limit_plus_one}""";

    private static final String EXISTING_SESSIONS = """
            SELECT requested.session_id FROM unnest({sessions}) AS requested (session_id) WHERE NOT EXISTS (
                SELECT FROM trace.session_removals removed
                WHERE removed.tenant_id = {tenant} AND removed.session_id = requested.session_id)""";

    private static final String KEY_AT = """
            SELECT candidate.* FROM ({existing_sessions}) AS requested CROSS JOIN LATERAL (
                SELECT runs.start_time, runs.id FROM trace.runs AS runs
                WHERE runs.tenant_id = {tenant} AND runs.session_id = requested.session_id {conditions}
                ORDER BY runs.start_time {direction}, runs.id {direction}
                LIMIT 1 OFFSET {preceding}) AS candidate
            ORDER BY candidate.start_time {direction}, candidate.id {direction}
            LIMIT 1""";

    private static final String KEYS_BY_INDEX = """
            SELECT runs.session_id, runs.start_time, runs.id, {size} AS size
            FROM (SELECT * FROM trace.runs WHERE tenant_id = {tenant} AND {index_condition} OFFSET 0) AS runs
            WHERE TRUE {conditions}
            ORDER BY runs.start_time {direction}, runs.id {direction}
            LIMIT {limit_plus_one}""";

    // trace.run_places maps ids to the keys of runs (docs/decisions/0023).
    private static final String BY_IDS = """
            (session_id, start_time, id) IN (SELECT place.session_id, place.start_time, place.id
                FROM trace.run_places place WHERE place.tenant_id = {tenant} AND place.id = ANY ({ids}))""";

    private static final String BY_PARENT = """
            trace_id = (SELECT parent.trace_id
                FROM trace.run_places place JOIN trace.runs parent USING (tenant_id, session_id, start_time, id)
                WHERE place.tenant_id = {tenant} AND place.id = {parent})""";

    // OFFSET 0 makes PostgreSQL look up each trace by its index.
    private static final String IN_TRACE = """
            EXISTS (SELECT FROM trace.runs AS other
                WHERE other.tenant_id = {tenant} AND other.trace_id = runs.trace_id {root} AND {condition} OFFSET 0)""";

    static RunQueryStatement of(UUID tenantId, RunQueryParser.RunQuery query, long maxBytes) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        return page(query, parameters, tenant, keys(query, parameters), maxBytes);
    }

    /** Returns a statement for the first runs of a query by session among these runs. */
    static RunQueryStatement among(UUID tenantId, RunQueryParser.RunQuery query, List<RunPosition> candidates, long maxBytes) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        String keys = KEYS_AMONG.replace("{existing_sessions}", existingSessions(query, parameters))
                .replace("{candidate_sessions}", parameters.of(candidates.stream().map(RunPosition::sessionId).toList()))
                .replace("{start_times}", parameters.ofTimes(candidates.stream().map(RunPosition::startTime).toList()))
                .replace("{ids}", parameters.of(candidates.stream().map(RunPosition::id).toList()))
                .replace("{conditions}", conjunction(conditions(query, parameters)));
        return page(query, parameters, tenant, keys, maxBytes);
    }

    private static RunQueryStatement page(RunQueryParser.RunQuery query, SqlParameters parameters, String tenant, String keys,
            long maxBytes) {
        String text = PAGE.replace("{keys}", keys)
                .replace("{columns}", RunResponseMapper.columns(query.select()))
                .replace("{limit}", parameters.of(query.limit()))
                .replace("{max_bytes}", parameters.of(maxBytes))
                .replace("{limit_plus_one}", parameters.of(query.limit() + 1L))
                .replace("{size}", size(query))
                .replace("{direction}", direction(query))
                .replace("{tenant}", tenant);
        return new RunQueryStatement(text, parameters.values());
    }

    /**
     * Returns a statement for the key after {@code rows - 1} runs of the sessions, where the first session has it. It evaluates
     * only conditions on the key.
     */
    static RunQueryStatement keyAt(UUID tenantId, RunQueryParser.RunQuery query, int rows) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        String text = KEY_AT.replace("{existing_sessions}", existingSessions(query, parameters))
                .replace("{conditions}", conjunction(keyConditions(query, parameters)))
                .replace("{preceding}", parameters.of(rows - 1L))
                .replace("{direction}", direction(query))
                .replace("{tenant}", tenant);
        return new RunQueryStatement(text, parameters.values());
    }

    private static String existingSessions(RunQueryParser.RunQuery query, SqlParameters parameters) {
        return EXISTING_SESSIONS.replace("{sessions}", parameters.of(query.conditions().sessions()));
    }

    private static String direction(RunQueryParser.RunQuery query) {
        return query.descending() ? "DESC" : "ASC";
    }

    private static String conjunction(List<String> conditions) {
        return conditions.stream().map(condition -> "AND " + condition).collect(Collectors.joining("\n    "));
    }

    private static String keys(RunQueryParser.RunQuery query, SqlParameters parameters) {
        Source source = source(query, parameters);
        return source.indexCondition() == null
                ? KEYS_BY_SESSION.replace("{existing_sessions}", existingSessions(query, parameters))
                        .replace("{conditions}", source.conditions())
                : KEYS_BY_INDEX.replace("{index_condition}", source.indexCondition()).replace("{conditions}",
                        source.conditions());
    }

    // Uses the most selective condition as the source; the others filter its runs.
    private static Source source(RunQueryParser.RunQuery query, SqlParameters parameters) {
        RunQueryParser.Conditions requested = query.conditions();
        List<String> conditions = conditions(query, parameters);
        String indexCondition = null;
        if (!requested.ids().isEmpty()) {
            indexCondition = BY_IDS.replace("{ids}", parameters.of(requested.ids()));
        } else if (requested.trace() != null) {
            indexCondition = "trace_id = " + parameters.of(requested.trace());
        } else if (requested.parent() != null) {
            indexCondition = BY_PARENT.replace("{parent}", parameters.of(requested.parent()));
        } else if (!requested.examples().isEmpty()) {
            indexCondition = "reference_example_id = ANY (" + parameters.of(requested.examples()) + ")";
        }
        if (indexCondition != null) {
            conditions.add(RemovedSessions.excludedFrom("runs"));
        }
        if (indexCondition != null && !requested.sessions().isEmpty()) {
            conditions.add("runs.session_id = ANY (" + parameters.of(requested.sessions()) + ")");
        }
        return new Source(indexCondition, conjunction(conditions));
    }

    /** Returns a query for all runs of the source and the remaining conditions on them, with the alias {@code runs}. */
    static Runs runs(RunQueryParser.RunQuery query, SqlParameters parameters) {
        Source source = source(query, parameters);
        String indexCondition = source.indexCondition() == null
                ? "session_id = ANY (ARRAY(" + existingSessions(query, parameters) + "))"
                : source.indexCondition();
        return new Runs("SELECT * FROM trace.runs WHERE tenant_id = {tenant} AND " + indexCondition
                + (source.indexCondition() == null ? "" : " OFFSET 0"), source.conditions());
    }

    /** A query for runs and the conditions on them. */
    record Runs(String select, String conditions) {
    }

    /**
     * Source of the runs.
     *
     * @param indexCondition the indexed condition to find runs by; null to find them by session
     */
    private record Source(@Nullable String indexCondition, String conditions) {
    }

    // PostgreSQL prunes partitions by conditions on the start time alone.
    private static List<String> keyConditions(RunQueryParser.RunQuery query, SqlParameters parameters) {
        RunQueryParser.Conditions requested = query.conditions();
        List<String> conditions = new ArrayList<>();
        query.after().ifPresent(key -> {
            String time = parameters.of(key.startTime());
            String order = query.descending() ? "<" : ">";
            conditions.add("runs.start_time " + order + "= " + time);
            conditions.add("(runs.start_time, runs.id) " + order + " (" + time + ", " + parameters.of(key.id()) + ")");
        });
        query.last().ifPresent(key -> {
            String time = parameters.of(key.startTime());
            String order = query.descending() ? ">=" : "<=";
            conditions.add("runs.start_time " + order + " " + time);
            conditions.add("(runs.start_time, runs.id) " + order + " (" + time + ", " + parameters.of(key.id()) + ")");
        });
        if (requested.from() != null) {
            conditions.add("runs.start_time >= " + parameters.of(requested.from()));
        }
        if (requested.to() != null) {
            conditions.add("runs.start_time < " + parameters.of(requested.to()));
        }
        return conditions;
    }

    private static List<String> conditions(RunQueryParser.RunQuery query, SqlParameters parameters) {
        RunQueryParser.Conditions requested = query.conditions();
        List<String> conditions = keyConditions(query, parameters);
        if (!requested.ids().isEmpty() && requested.trace() != null) {
            conditions.add("runs.trace_id = " + parameters.of(requested.trace()));
        }
        if (requested.parent() != null) {
            conditions.add("runs.parent_run_id = " + parameters.of(requested.parent()));
        }
        if (!requested.examples().isEmpty()) {
            conditions.add("runs.reference_example_id = ANY (" + parameters.of(requested.examples()) + ")");
        }
        if (requested.runType() != null) {
            conditions.add("runs.run_type = " + parameters.of(requested.runType()));
        }
        if (requested.root() != null) {
            conditions.add("runs.parent_run_id IS " + (requested.root() ? "NULL" : "NOT NULL"));
        }
        if (requested.failed() != null) {
            conditions.add("runs.error IS " + (requested.failed() ? "NOT NULL" : "NULL"));
        }
        for (Filter filter : requested.filters()) {
            conditions.add(parameters.of(filter, "runs"));
            // No index supports the conditions of filters, which are never null; this plain condition uses the index on
            // threads.
            threadId(filter).ifPresent(thread -> conditions.add("runs.thread_id = " + parameters.of(thread)));
        }
        if (requested.traceFilter() != null) {
            conditions.add(IN_TRACE.replace("{root}", "AND other.parent_run_id IS NULL")
                    .replace("{condition}", parameters.of(requested.traceFilter(), "other")));
        }
        if (requested.treeFilter() != null) {
            conditions.add(IN_TRACE.replace("{root}", "")
                    .replace("{condition}", parameters.of(requested.treeFilter(), "other")));
        }
        return conditions;
    }

    private static Optional<String> threadId(Filter filter) {
        return switch (filter) {
            case Filter.And and -> and.conditions().stream().flatMap(one -> threadId(one).stream()).findFirst();
            case Filter.Equal equal when equal.field() == FilterField.THREAD_ID -> Optional.of(equal.value().text());
            default -> Optional.empty();
        };
    }

    // octet_length of text does not decompress the value. All other columns are short.
    private static String size(RunQueryParser.RunQuery query) {
        String bytes = query.select().stream()
                .filter(RunField::hasUnlimitedLength)
                .map(field -> "coalesce(octet_length(runs." + field.wireName() + "), 0)::bigint")
                .collect(Collectors.joining(" + "));
        return bytes.isEmpty() ? "0::bigint" : bytes;
    }
}
