package dev.waybill.experiment.run;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.json.Bytes;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * SQL statements that write runs, and their parameters. One execution writes a batch, with one array per column. JSON is
 * passed as bytes, because the database client would otherwise decode and encode every character; arrays within a row are
 * passed as text. The client caches prepared statements of at most 2048 characters, which explains the short aliases.
 */
final class RunStatements {

    static final String INSERT = """
            INSERT INTO trace.runs (tenant_id, id, session_id, trace_id, parent_run_id, parent_run_ids, dotted_order,
                name, run_type, status, start_time, end_time, first_token_time, reference_example_id, tags, error,
                inputs, outputs, events, extra, metadata, serialized,
                prompt_tokens, completion_tokens, total_tokens, prompt_cost, completion_cost, total_cost, manifest_id, trace_tier)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::uuid[]),
                unnest($6::text[])::uuid[], unnest($7::text[]),
                unnest($8::text[]), unnest($9::text[]), unnest($10::text[]), unnest($11::timestamptz[]),
                unnest($12::timestamptz[]), unnest($13::timestamptz[]), unnest($14::uuid[]), unnest($15::text[])::text[],
                unnest($16::text[]), convert_from(unnest($17::bytea[]), 'UTF8'), convert_from(unnest($18::bytea[]), 'UTF8'),
                convert_from(unnest($19::bytea[]), 'UTF8'), convert_from(unnest($20::bytea[]), 'UTF8'),
                convert_from(unnest($21::bytea[]), 'UTF8'), convert_from(unnest($22::bytea[]), 'UTF8'),
                unnest($23::bigint[]), unnest($24::bigint[]), unnest($25::bigint[]),
                unnest($26::text[])::numeric, unnest($27::text[])::numeric, unnest($28::text[])::numeric,
                unnest($29::uuid[]), unnest($30::text[])
            """;

    // Derives the status from the merged run if the patch has none. The range of start times lets PostgreSQL prune
    // partitions.
    static final String UPDATE = """
            UPDATE trace.runs r SET modified_at = now(),
            name = coalesce(p.nm, r.name), run_type = coalesce(p.type, r.run_type),
            status = coalesce(p.st, CASE WHEN p.fin IS NULL AND p.err IS NULL THEN r.status
            WHEN coalesce(p.err, r.error) IS NOT NULL THEN 'error'
            WHEN coalesce(p.fin, r.end_time) IS NOT NULL THEN 'success' ELSE r.status END),
            start_time = coalesce(p.mv, r.start_time), end_time = coalesce(p.fin, r.end_time),
            first_token_time = coalesce(p.tok, r.first_token_time),
            reference_example_id = coalesce(p.ex, r.reference_example_id),
            tags = coalesce(p.tg::text[], r.tags), error = coalesce(p.err, r.error),
            inputs = coalesce(convert_from(p.ins, 'UTF8'), r.inputs),
            outputs = coalesce(convert_from(p.outs, 'UTF8'), r.outputs),
            events = coalesce(convert_from(p.evs, 'UTF8'), r.events),
            extra = coalesce(convert_from(p.ext, 'UTF8'), r.extra),
            metadata = CASE WHEN p.ext IS NULL THEN r.metadata ELSE convert_from(p.md, 'UTF8') END,
            serialized = coalesce(convert_from(p.ser, 'UTF8'), r.serialized),
            prompt_tokens = coalesce(p.t1, r.prompt_tokens), completion_tokens = coalesce(p.t2, r.completion_tokens),
            total_tokens = coalesce(p.t3, p.t1 + r.completion_tokens, r.prompt_tokens + p.t2, r.total_tokens), prompt_cost = coalesce(p.c1::numeric, r.prompt_cost),
            completion_cost = coalesce(p.c2::numeric, r.completion_cost), total_cost = coalesce(p.c3::numeric, r.total_cost),
            manifest_id = coalesce(p.man, r.manifest_id), trace_tier = coalesce(p.tier, r.trace_tier)
            FROM unnest($4::uuid[],$5::uuid[],$6::timestamptz[],$7::text[],$8::text[],$9::text[],$10::timestamptz[],
            $11::timestamptz[],$12::timestamptz[],$13::uuid[],$14::text[],$15::text[],$16::bytea[],$17::bytea[],
            $18::bytea[],$19::bytea[],$20::bytea[],$21::bytea[],$22::bigint[],$23::bigint[],$24::bigint[],$25::text[],
            $26::text[],$27::text[],$28::uuid[],$29::text[]) AS p (id,sid,at,nm,type,st,mv,fin,tok,ex,tg,
            err,ins,outs,evs,ext,md,ser,t1,t2,t3,c1,c2,c3,man,tier)
            WHERE r.tenant_id = $1 AND r.start_time BETWEEN $2 AND $3
            AND r.session_id = p.sid AND r.start_time = p.at AND r.id = p.id
            """;

    static final String MOVE = """
            UPDATE trace.runs r SET modified_at = now(), dotted_order = p.dotted_order, parent_run_id = p.parent_run_id,
                parent_run_ids = p.parent_run_ids::uuid[]
            FROM unnest($4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[], $8::uuid[], $9::text[])
                AS p (id, session, started, dotted_order, parent_run_id, parent_run_ids)
            WHERE r.tenant_id = $1 AND r.start_time BETWEEN $2 AND $3
                AND r.session_id = p.session AND r.start_time = p.started AND r.id = p.id AND r.dotted_order <> p.dotted_order
            """;

    private final List<ReceivedRun> runs;
    private final io.vertx.sqlclient.Tuple parameters = io.vertx.sqlclient.Tuple.tuple();

    private RunStatements(UUID tenantId, List<ReceivedRun> runs) {
        this.runs = runs;
        parameters.addUUID(tenantId);
    }

    /** Returns the parameters of {@link #INSERT}. */
    static Tuple forInsert(UUID tenantId, List<ReceivedRun> runs) {
        return new RunStatements(tenantId, runs)
                .add(UUID[]::new, run -> run.id)
                .add(UUID[]::new, ReceivedRun::session)
                .add(UUID[]::new, run -> run.traceId)
                .add(UUID[]::new, run -> run.parentRunId)
                .add(String[]::new, run -> arrayText(run.parentRunIds))
                .add(String[]::new, run -> run.dottedOrder)
                .addShared()
                .tuple();
    }

    /** Returns the parameters of {@link #UPDATE}; {@code locations} contains all of the runs. */
    static Tuple forUpdate(UUID tenantId, List<ReceivedRun> patches, Map<UUID, RunLocation> locations) {
        return new RunStatements(tenantId, patches)
                .addLocations(locations)
                .addShared()
                .tuple();
    }

    /** Returns the parameters of {@link #MOVE}. */
    static Tuple forMove(UUID tenantId, List<ReceivedRun> moved, Map<UUID, RunLocation> locations) {
        return new RunStatements(tenantId, moved)
                .addLocations(locations)
                .add(String[]::new, run -> run.dottedOrder)
                .add(UUID[]::new, run -> run.parentRunId)
                .add(String[]::new, run -> arrayText(run.parentRunIds))
                .tuple();
    }

    /** Returns the parameters that insert the locations of runs. */
    static Tuple forLocations(UUID tenantId, List<ReceivedRun> runs) {
        return new RunStatements(tenantId, runs)
                .add(UUID[]::new, run -> run.id)
                .add(UUID[]::new, ReceivedRun::session)
                .add(OffsetDateTime[]::new, run -> utc(run.startTime))
                .tuple();
    }

    // Adds the range of start times, then the keys.
    private RunStatements addLocations(Map<UUID, RunLocation> locations) {
        RunLocation[] runLocations = runs.stream().map(run -> ReceivedRun.require(locations.get(run.id())))
                .toArray(RunLocation[]::new);
        parameters.addValue(
                Arrays.stream(runLocations).map(RunLocation::startTime)
                        .min(OffsetDateTime.timeLineOrder()).orElseThrow());
        parameters.addValue(
                Arrays.stream(runLocations).map(RunLocation::startTime)
                        .max(OffsetDateTime.timeLineOrder()).orElseThrow());
        return add(UUID[]::new, run -> run.id)
                .addOf(UUID[]::new, runLocations, RunLocation::sessionId)
                .addOf(OffsetDateTime[]::new, runLocations, RunLocation::startTime);
    }

    private RunStatements addShared() {
        TokenUsage[] usages = runs.stream().map(ReceivedRun::usage).toArray(TokenUsage[]::new);
        return add(String[]::new, run -> run.name)
                .add(String[]::new, run -> run.runType)
                .add(String[]::new, run -> run.status)
                .add(OffsetDateTime[]::new, run -> utc(run.startTime))
                .add(OffsetDateTime[]::new, run -> utc(run.endTime))
                .add(OffsetDateTime[]::new, run -> utc(run.firstToken()))
                .add(UUID[]::new, run -> run.referenceExampleId)
                .add(String[]::new, run -> run.tags == null ? null : arrayText(run.tags))
                .add(String[]::new, run -> run.error)
                .add(Buffer[]::new, run -> buffer(run.inputs))
                .add(Buffer[]::new, run -> buffer(run.outputs))
                .add(Buffer[]::new, run -> buffer(run.events))
                .add(Buffer[]::new, run -> buffer(run.extra))
                .add(Buffer[]::new, run -> buffer(run.metadata))
                .add(Buffer[]::new, run -> buffer(run.serialized))
                .addOf(Long[]::new, usages, usage -> usage.promptTokens)
                .addOf(Long[]::new, usages, usage -> usage.completionTokens)
                .addOf(Long[]::new, usages, usage -> usage.totalTokens)
                .addOf(String[]::new, usages, usage -> plain(usage.promptCost))
                .addOf(String[]::new, usages, usage -> plain(usage.completionCost))
                .addOf(String[]::new, usages, usage -> plain(usage.totalCost))
                .add(UUID[]::new, run -> run.manifestId)
                .add(String[]::new, run -> run.traceTier);
    }

    private <T> RunStatements add(IntFunction<@Nullable T[]> array, Function<ReceivedRun, @Nullable T> column) {
        return addOf(array, runs.toArray(ReceivedRun[]::new), column);
    }

    private <S, T> RunStatements addOf(IntFunction<@Nullable T[]> array, S[] rows, Function<S, @Nullable T> column) {
        @Nullable
        T[] values = array.apply(rows.length);
        for (int i = 0; i < rows.length; i++) {
            values[i] = column.apply(rows[i]);
        }
        parameters.addValue(values);
        return this;
    }

    private Tuple tuple() {
        return Tuple.newInstance(parameters);
    }

    static @Nullable OffsetDateTime utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable Buffer buffer(@Nullable Bytes json) {
        return json == null ? null : json.toBuffer();
    }

    private static @Nullable String plain(@Nullable BigDecimal cost) {
        return cost == null ? null : cost.toPlainString();
    }

    // Returns PostgreSQL's text form of an array; all elements are quoted, so only quotes and backslashes are escaped.
    static String arrayText(List<?> elements) {
        StringBuilder text = new StringBuilder("{");
        for (Object element : elements) {
            text.append(text.length() > 1 ? ",\"" : "\"")
                    .append(element.toString().replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return text.append('}').toString();
    }

    /** The columns of the primary key of {@code trace.runs} that locate a run besides its id. */
    record RunLocation(UUID sessionId, OffsetDateTime startTime) {
    }
}
