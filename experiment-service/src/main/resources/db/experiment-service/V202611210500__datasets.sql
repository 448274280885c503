-- Datasets, their examples, and feedback (interface.md 2.7 to 2.9). An experiment is a session with a reference_dataset_id.
CREATE TABLE trace.datasets (
    tenant_id                 uuid        NOT NULL,
    id                        uuid        NOT NULL,
    name                      text        NOT NULL,
    description               text,
    -- Made by an upload: only then may uploads add to it.
    externally_managed        boolean     NOT NULL,
    data_type                 text        NOT NULL DEFAULT 'kv',
    inputs_schema_definition  text,
    outputs_schema_definition text,
    -- The number of the newest experiment. Taking the next one locks the row, so uploads to a dataset come one after another.
    last_test_run_number      integer     NOT NULL DEFAULT 0,
    created_at                timestamptz NOT NULL,
    modified_at               timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Inputs and outputs are the text that came in, as in runs.
CREATE TABLE trace.examples (
    tenant_id      uuid        NOT NULL,
    id             uuid        NOT NULL,
    dataset_id     uuid        NOT NULL,
    -- Who it is within its dataset; its id is another one where that was taken.
    row_id         uuid        NOT NULL,
    inputs         text        NOT NULL,
    outputs        text,
    metadata       text,
    -- Grows when an upload brings other inputs: while it is 1, every run of the example had the same.
    inputs_version integer     NOT NULL DEFAULT 1,
    created_at     timestamptz NOT NULL,
    modified_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, dataset_id, row_id)
);

CREATE TABLE trace.feedback (
    tenant_id   uuid             NOT NULL,
    id          uuid             NOT NULL,
    -- Null when it is about the whole session.
    run_id      uuid,
    -- Null while the run it is about is not there yet.
    session_id  uuid,
    key         text             NOT NULL,
    score       double precision,
    -- JSON of any kind.
    value       text,
    -- What the value counts as in statistics: its text, or the name its score has in the configuration.
    label       text,
    comment     text,
    correction  text,
    source      text,
    config      text,
    extra       text,
    created_at  timestamptz      NOT NULL,
    modified_at timestamptz      NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- Statistics of a session, and lists by session.
CREATE INDEX feedback_of_sessions ON trace.feedback (tenant_id, session_id, created_at, id);
-- Lists by run, and what waits for its run.
CREATE INDEX feedback_of_runs ON trace.feedback (tenant_id, run_id);

-- Uploaded experiments have names of their own within a dataset; all other sessions share the workspace's names, because tracing
-- clients name the session their runs go to.
ALTER TABLE trace.sessions
    ADD COLUMN uploaded boolean NOT NULL DEFAULT false,
    ADD COLUMN test_run_number integer;
ALTER TABLE trace.sessions DROP CONSTRAINT sessions_tenant_id_name_key;
CREATE UNIQUE INDEX sessions_by_name ON trace.sessions (tenant_id, name) WHERE NOT uploaded;
CREATE UNIQUE INDEX experiments_by_name ON trace.sessions (tenant_id, reference_dataset_id, name)
    WHERE reference_dataset_id IS NOT NULL;

DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['datasets', 'examples', 'feedback'] LOOP
        EXECUTE format('ALTER TABLE trace.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE trace.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON trace.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;

DO $$
DECLARE
    large text;
BEGIN
    FOREACH large IN ARRAY ARRAY ['inputs', 'outputs', 'metadata'] LOOP
        EXECUTE format('ALTER TABLE trace.examples ALTER COLUMN %I SET COMPRESSION lz4', large);
    END LOOP;
EXCEPTION
    WHEN feature_not_supported THEN
        RAISE NOTICE 'this server has no lz4: examples keep the default compression';
END $$;

-- Exports tell feedback statistics, and their filters ask for feedback.
DO $$
DECLARE
    reader text;
BEGIN
    FOREACH reader IN ARRAY string_to_array('${trace_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN
            EXECUTE format('GRANT SELECT ON trace.feedback TO %I', reader);
        END IF;
    END LOOP;
END $$;
