package dev.waybill.experiment.run;

/**
 * The statements on runs. One execution carries a whole batch, one array for each column (see {@link RunColumns}). The client
 * keeps statements prepared only up to 2048 characters.
 */
final class TraceStatements {

    static final String INSERT = """
            INSERT INTO trace.runs (tenant_id, id, session_id, trace_id, parent_run_id, parent_run_ids, dotted_order,
                name, run_type, status, start_time, end_time, first_token_time, reference_example_id, tags, error,
                inputs, outputs, events, extra, metadata, serialized,
                prompt_tokens, completion_tokens, total_tokens, prompt_cost, completion_cost, total_cost)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::uuid[]),
                unnest($6::text[])::uuid[], unnest($7::text[]),
                unnest($8::text[]), unnest($9::text[]), unnest($10::text[]), unnest($11::timestamptz[]),
                unnest($12::timestamptz[]), unnest($13::timestamptz[]), unnest($14::uuid[]), unnest($15::text[])::text[],
                unnest($16::text[]), convert_from(unnest($17::bytea[]), 'UTF8'), convert_from(unnest($18::bytea[]), 'UTF8'),
                convert_from(unnest($19::bytea[]), 'UTF8'), convert_from(unnest($20::bytea[]), 'UTF8'),
                convert_from(unnest($21::bytea[]), 'UTF8'), convert_from(unnest($22::bytea[]), 'UTF8'),
                unnest($23::bigint[]), unnest($24::bigint[]), unnest($25::bigint[]),
                unnest($26::text[])::numeric, unnest($27::text[])::numeric, unnest($28::text[])::numeric
            ON CONFLICT (tenant_id, id) DO NOTHING
            """;

    static final String LOCK = """
            SELECT id FROM trace.runs WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE
            """;

    // Where a change gives no status, the merged run says how it stands.
    static final String UPDATE = """
            UPDATE trace.runs r SET modified_at = now(),
            name = coalesce(p.name, r.name), run_type = coalesce(p.run_type, r.run_type),
            status = coalesce(p.status, CASE WHEN p.end_time IS NULL AND p.error IS NULL THEN r.status
                WHEN coalesce(p.error, r.error) IS NOT NULL THEN 'error'
                WHEN coalesce(p.end_time, r.end_time) IS NOT NULL THEN 'success' ELSE r.status END),
            start_time = coalesce(p.start_time, r.start_time), end_time = coalesce(p.end_time, r.end_time),
            first_token_time = coalesce(p.first_token, r.first_token_time),
            reference_example_id = coalesce(p.example, r.reference_example_id),
            tags = coalesce(p.tags::text[], r.tags), error = coalesce(p.error, r.error),
            inputs = coalesce(convert_from(p.inputs, 'UTF8'), r.inputs),
            outputs = coalesce(convert_from(p.outputs, 'UTF8'), r.outputs),
            events = coalesce(convert_from(p.events, 'UTF8'), r.events),
            extra = coalesce(convert_from(p.extra, 'UTF8'), r.extra),
            metadata = CASE WHEN p.extra IS NULL THEN r.metadata ELSE convert_from(p.metadata, 'UTF8') END,
            serialized = coalesce(convert_from(p.serialized, 'UTF8'), r.serialized),
            prompt_tokens = coalesce(p.t1, r.prompt_tokens), completion_tokens = coalesce(p.t2, r.completion_tokens),
            total_tokens = coalesce(p.t3, r.total_tokens), prompt_cost = coalesce(p.c1::numeric, r.prompt_cost),
            completion_cost = coalesce(p.c2::numeric, r.completion_cost), total_cost = coalesce(p.c3::numeric, r.total_cost)
            FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
                $9::uuid[], $10::text[], $11::text[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[], $16::bytea[],
                $17::bytea[], $18::bigint[], $19::bigint[], $20::bigint[], $21::text[], $22::text[], $23::text[])
            AS p (id, name, run_type, status, start_time, end_time, first_token, example, tags, error, inputs, outputs, events,
                extra, metadata, serialized, t1, t2, t3, c1, c2, c3)
            WHERE r.tenant_id = $1 AND r.id = p.id
            """;

    static final String MOVE = """
            UPDATE trace.runs r SET modified_at = now(), dotted_order = p.dotted_order, parent_run_id = p.parent_run_id,
                parent_run_ids = p.parent_run_ids::uuid[]
            FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) AS p (id, dotted_order, parent_run_id, parent_run_ids)
            WHERE r.tenant_id = $1 AND r.id = p.id AND r.dotted_order <> p.dotted_order
            """;

    private TraceStatements() {
    }
}
