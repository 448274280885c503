package dev.waybill.experiment.run;

/**
 * SQL statements that write runs. One execution writes a batch, with one array per column (see {@link RunColumns}). The
 * database client caches prepared statements of at most 2048 characters, which explains the short aliases.
 */
final class TraceStatements {

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

    private TraceStatements() {
    }
}
