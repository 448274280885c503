-- Tracing projects ("sessions") and runs (contract.md "Trace intake").
CREATE TABLE trace.sessions (
    tenant_id            uuid        NOT NULL,
    id                   uuid        NOT NULL,
    name                 text        NOT NULL,
    description          text,
    start_time           timestamptz NOT NULL,
    end_time             timestamptz,
    extra                text,
    default_dataset_id   uuid,
    reference_dataset_id uuid,
    trace_tier           text        NOT NULL DEFAULT 'longlived',
    created_at           timestamptz NOT NULL,
    modified_at          timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- JSON is kept as the text that came in: PostgreSQL never parses it again, and \u0000 survives.
CREATE TABLE trace.runs (
    tenant_id            uuid        NOT NULL,
    id                   uuid        NOT NULL,
    session_id           uuid        NOT NULL,
    start_time           timestamptz NOT NULL,
    end_time             timestamptz,
    first_token_time     timestamptz,
    received_at          timestamptz NOT NULL DEFAULT now(),
    modified_at          timestamptz NOT NULL DEFAULT now(),
    prompt_tokens        bigint,
    completion_tokens    bigint,
    total_tokens         bigint,
    trace_id             uuid        NOT NULL,
    parent_run_id        uuid,
    reference_example_id uuid,
    manifest_id          uuid,
    prompt_cost          numeric(18, 9),
    completion_cost      numeric(18, 9),
    total_cost           numeric(18, 9),
    name                 text        NOT NULL,
    run_type             text        NOT NULL,
    status               text        NOT NULL,
    dotted_order         text        NOT NULL,
    trace_tier           text,
    parent_run_ids       uuid[]      NOT NULL DEFAULT '{}',
    tags                 text[],
    error                text,
    inputs               text,
    outputs              text,
    events               text,
    extra                text,
    metadata             text,
    serialized           text,
    PRIMARY KEY (tenant_id, id)
);

-- The export's reading order: an export costs what its own rows cost, whatever else is in the table.
CREATE INDEX runs_in_reading_order ON trace.runs (tenant_id, session_id, start_time, id);

-- A PATCH that came before its POST waits here and is merged when the POST arrives.
CREATE TABLE trace.early_patches (
    tenant_id   uuid        NOT NULL,
    run_id      uuid        NOT NULL,
    sequence    bigint      GENERATED ALWAYS AS IDENTITY,
    body        text        NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, sequence)
);

-- The second lock behind the tenant_id condition of every statement.
DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['sessions', 'runs', 'early_patches'] LOOP
        EXECUTE format('ALTER TABLE trace.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE trace.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON trace.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;

-- LZ4 unpacks far cheaper than pglz; servers built without it keep their default.
DO $$
DECLARE
    large text;
BEGIN
    FOREACH large IN ARRAY ARRAY ['inputs', 'outputs', 'events', 'extra', 'metadata', 'serialized', 'error'] LOOP
        EXECUTE format('ALTER TABLE trace.runs ALTER COLUMN %I SET COMPRESSION lz4', large);
    END LOOP;
EXCEPTION
    WHEN feature_not_supported THEN
        RAISE NOTICE 'this server has no lz4: runs keep the default compression';
END $$;

-- The export-service reads runs and sessions and nothing else.
DO $$
DECLARE
    reader text;
BEGIN
    FOREACH reader IN ARRAY string_to_array('${trace_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN
            EXECUTE format('GRANT USAGE ON SCHEMA trace TO %I', reader);
            EXECUTE format('GRANT SELECT ON trace.sessions, trace.runs TO %I', reader);
        END IF;
    END LOOP;
END $$;
