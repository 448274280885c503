package dev.waybill.experiment.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterField;
import dev.waybill.experiment.run.RemovedSessions;
import dev.waybill.experiment.run.RunField;
import dev.waybill.experiment.run.RunRowMapper;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The statement that answers a question. It finds keys first, along one index and never more of them than the page may have,
 * and reads the runs themselves only as far as the page goes: what is large is not touched to find out what is not wanted.
 */
record RunQueryStatement(String text, Tuple values) {

    // LIMIT 1 and OFFSET 0 keep the steps apart: joined into one, PostgreSQL might read all runs of a session first.
    private static final String PAGE = """
            WITH found AS MATERIALIZED ({keys}),
            page AS (
                SELECT found.*, row_number() OVER in_order AS place, sum(found.size) OVER in_order - found.size AS before
                FROM found WINDOW in_order AS (ORDER BY start_time {direction}, id {direction} ROWS UNBOUNDED PRECEDING))
            SELECT {columns}, (SELECT count(*) FROM found) AS found
            FROM page CROSS JOIN LATERAL (
                SELECT * FROM trace.runs WHERE tenant_id = {tenant} AND session_id = page.session_id
                    AND start_time = page.start_time AND id = page.id
                LIMIT 1) AS runs
            WHERE page.place <= {limit} AND page.before < {bytes}
            ORDER BY page.place
            """;

    private static final String OF_SESSIONS = """
            SELECT one.* FROM (SELECT * FROM unnest({sessions}) AS asked (session_id) WHERE NOT EXISTS (
                SELECT FROM trace.session_removals removed
                WHERE removed.tenant_id = {tenant} AND removed.session_id = asked.session_id)) AS asked CROSS JOIN LATERAL (
                SELECT runs.session_id, runs.start_time, runs.id, {size} AS size FROM trace.runs AS runs
                WHERE runs.tenant_id = {tenant} AND runs.session_id = asked.session_id {conditions}
                ORDER BY runs.start_time {direction}, runs.id {direction}
                LIMIT {one_more}) AS one
            ORDER BY one.start_time {direction}, one.id {direction}
            LIMIT {one_more}""";

    private static final String PRESENT_SESSIONS = """
            session_id = ANY (ARRAY(SELECT asked.session_id FROM unnest({sessions}) AS asked (session_id) WHERE NOT EXISTS (
                SELECT FROM trace.session_removals removed
                WHERE removed.tenant_id = {tenant} AND removed.session_id = asked.session_id)))""";

    private static final String OTHERWISE = """
            SELECT runs.session_id, runs.start_time, runs.id, {size} AS size
            FROM (SELECT * FROM trace.runs WHERE tenant_id = {tenant} AND {lead} OFFSET 0) AS runs
            WHERE TRUE {conditions}
            ORDER BY runs.start_time {direction}, runs.id {direction}
            LIMIT {one_more}""";

    // An id leads to its run by its place (docs/decisions/0023).
    private static final String OF_IDS = """
            (session_id, start_time, id) IN (SELECT place.session_id, place.start_time, place.id
                FROM trace.run_places place WHERE place.tenant_id = {tenant} AND place.id = ANY ({ids}))""";

    private static final String OF_PARENT = """
            trace_id = (SELECT parent.trace_id
                FROM trace.run_places place JOIN trace.runs parent USING (tenant_id, session_id, start_time, id)
                WHERE place.tenant_id = {tenant} AND place.id = {parent})""";

    // OFFSET 0 keeps this a question about one trace, by its index.
    private static final String OF_TRACE = """
            EXISTS (SELECT FROM trace.runs AS other
                WHERE other.tenant_id = {tenant} AND other.trace_id = runs.trace_id {root} AND {condition} OFFSET 0)""";

    static RunQueryStatement of(UUID tenantId, RunQuery query, long maxBytes) {
        SqlParameters parameters = new SqlParameters();
        String tenant = parameters.of(tenantId);
        String keys = keys(query, parameters);
        String text = PAGE.replace("{keys}", keys)
                .replace("{columns}", RunRowMapper.columns(query.select()))
                .replace("{limit}", parameters.of(query.limit()))
                .replace("{bytes}", parameters.of(maxBytes))
                .replace("{one_more}", parameters.of(query.limit() + 1L))
                .replace("{size}", size(query))
                .replace("{direction}", query.descending() ? "DESC" : "ASC")
                .replace("{tenant}", tenant);
        return new RunQueryStatement(text, parameters.values());
    }

    private static String keys(RunQuery query, SqlParameters parameters) {
        Source source = source(query, parameters);
        return source.lead() == null
                ? OF_SESSIONS.replace("{sessions}", parameters.of(query.conditions().sessions()))
                        .replace("{conditions}", source.conditions())
                : OTHERWISE.replace("{lead}", source.lead()).replace("{conditions}", source.conditions());
    }

    // What finds the fewest runs leads; all else narrows.
    private static Source source(RunQuery query, SqlParameters parameters) {
        RunConditions asked = query.conditions();
        List<String> conditions = conditions(query, parameters);
        String lead = null;
        if (!asked.ids().isEmpty()) {
            lead = OF_IDS.replace("{ids}", parameters.of(asked.ids()));
        } else if (asked.trace() != null) {
            lead = "trace_id = " + parameters.of(asked.trace());
        } else if (asked.parent() != null) {
            lead = OF_PARENT.replace("{parent}", parameters.of(asked.parent()));
        } else if (!asked.examples().isEmpty()) {
            lead = "reference_example_id = ANY (" + parameters.of(asked.examples()) + ")";
        }
        if (lead != null) {
            conditions.add(RemovedSessions.excludedFrom("runs"));
        }
        if (lead != null && !asked.sessions().isEmpty()) {
            conditions.add("runs.session_id = ANY (" + parameters.of(asked.sessions()) + ")");
        }
        return new Source(lead, conditions.stream().map(condition -> "AND " + condition).collect(Collectors.joining("\n    ")));
    }

    /** All runs that one index leads to and what else must hold of them, under the name {@code runs}. */
    static Runs runs(RunQuery query, SqlParameters parameters) {
        Source source = source(query, parameters);
        String lead = source.lead() == null
                ? PRESENT_SESSIONS.replace("{sessions}", parameters.of(query.conditions().sessions()))
                : source.lead();
        return new Runs("SELECT * FROM trace.runs WHERE tenant_id = {tenant} AND " + lead
                + (source.lead() == null ? "" : " OFFSET 0"), source.conditions());
    }

    /** Runs and the conditions on them. */
    record Runs(String select, String conditions) {
    }

    /** Where runs are found, by another index than that of sessions where lead is not null. */
    private record Source(@Nullable String lead, String conditions) {
    }

    private static List<String> conditions(RunQuery query, SqlParameters parameters) {
        RunConditions asked = query.conditions();
        List<String> conditions = new ArrayList<>();
        query.after().ifPresent(key -> {
            String time = parameters.of(key.startTime());
            String order = query.descending() ? "<" : ">";
            // The first of the two also tells which partitions need not be looked at.
            conditions.add("runs.start_time " + order + "= " + time);
            conditions.add("(runs.start_time, runs.id) " + order + " (" + time + ", " + parameters.of(key.id()) + ")");
        });
        if (asked.from() != null) {
            conditions.add("runs.start_time >= " + parameters.of(asked.from()));
        }
        if (asked.to() != null) {
            conditions.add("runs.start_time < " + parameters.of(asked.to()));
        }
        if (!asked.ids().isEmpty() && asked.trace() != null) {
            conditions.add("runs.trace_id = " + parameters.of(asked.trace()));
        }
        if (asked.parent() != null) {
            conditions.add("runs.parent_run_id = " + parameters.of(asked.parent()));
        }
        if (!asked.examples().isEmpty()) {
            conditions.add("runs.reference_example_id = ANY (" + parameters.of(asked.examples()) + ")");
        }
        if (asked.runType() != null) {
            conditions.add("runs.run_type = " + parameters.of(asked.runType()));
        }
        if (asked.root() != null) {
            conditions.add("runs.parent_run_id IS " + (asked.root() ? "NULL" : "NOT NULL"));
        }
        if (asked.failed() != null) {
            conditions.add("runs.error IS " + (asked.failed() ? "NOT NULL" : "NULL"));
        }
        for (Filter filter : asked.filters()) {
            conditions.add(parameters.of(filter, "runs"));
            // Within a filter conditions are never null, which no index knows; this one leads to the runs of a thread.
            threadOf(filter).ifPresent(thread -> conditions.add("runs.thread_id = " + parameters.of(thread)));
        }
        if (asked.traceFilter() != null) {
            conditions.add(OF_TRACE.replace("{root}", "AND other.parent_run_id IS NULL")
                    .replace("{condition}", parameters.of(asked.traceFilter(), "other")));
        }
        if (asked.treeFilter() != null) {
            conditions.add(OF_TRACE.replace("{root}", "")
                    .replace("{condition}", parameters.of(asked.treeFilter(), "other")));
        }
        return conditions;
    }

    private static Optional<String> threadOf(Filter filter) {
        return switch (filter) {
            case Filter.And and -> and.conditions().stream().flatMap(one -> threadOf(one).stream()).findFirst();
            case Filter.Equal equal when equal.field() == FilterField.THREAD_ID -> Optional.of(equal.value().text());
            default -> Optional.empty();
        };
    }

    // Of text PostgreSQL knows the length without unpacking it; all else in a row is short.
    private static String size(RunQuery query) {
        String bytes = query.select().stream()
                .filter(RunField::isLong)
                .map(field -> "coalesce(octet_length(runs." + field.wireName() + "), 0)::bigint")
                .collect(Collectors.joining(" + "));
        return bytes.isEmpty() ? "0::bigint" : bytes;
    }
}
