-- The lake: closed days of workspaces as Parquet files in Waybill's own bucket (docs/lake.md).
CREATE SCHEMA IF NOT EXISTS lake;

-- A job for each day of a workspace, and its result.
CREATE TABLE lake.compactions (
    tenant_id       uuid        NOT NULL,
    day             date        NOT NULL,
    id              uuid        NOT NULL DEFAULT gen_random_uuid(),
    -- unsupported: a run is too large for the files, so the day is read from trace.runs.
    state           text        NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'compacted', 'unsupported')),
    -- The pg_snapshot of the rows in the files. Changes in trace.lake_changes that it does not contain make the day invalid.
    snapshot        text,
    rows            bigint,
    bytes           bigint,
    compacted_at    timestamptz,
    pending_since   timestamptz DEFAULT now(),
    -- Of the last attempt, if it failed.
    error_code      text,
    attempts        int         NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    lease_token     bigint      NOT NULL DEFAULT 0,
    lease_until     timestamptz,
    lease_owner     text,
    PRIMARY KEY (tenant_id, day),
    UNIQUE (tenant_id, id),
    CHECK (state NOT IN ('compacted', 'unsupported') OR snapshot IS NOT NULL),
    CHECK ((pending_since IS NOT NULL) = (state IN ('pending', 'running')))
);

CREATE INDEX compactions_due ON lake.compactions (day DESC) WHERE state IN ('pending', 'running');

CREATE TABLE lake.files (
    tenant_id uuid        NOT NULL,
    day       date        NOT NULL,
    index     int         NOT NULL,
    key       text        NOT NULL,
    rows      bigint      NOT NULL,
    bytes     bigint      NOT NULL,
    min_start timestamptz NOT NULL,
    max_start timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, day, key),
    FOREIGN KEY (tenant_id, day) REFERENCES lake.compactions (tenant_id, day)
);

-- Objects to delete: replaced files, and the prefix of each attempt until its files are recorded. Deleted an hour after
-- obsolete_since, so that readers finish; a running attempt keeps postponing it.
CREATE TABLE lake.obsolete_files (
    key              text        NOT NULL PRIMARY KEY,
    tenant_id        uuid        NOT NULL,
    obsolete_since   timestamptz NOT NULL DEFAULT now(),
    -- From now on no attempt can record files with this prefix.
    deletion_started boolean     NOT NULL DEFAULT false
);

CREATE INDEX obsolete_files_due ON lake.obsolete_files (obsolete_since);

DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['compactions', 'files', 'obsolete_files'] LOOP
        EXECUTE format('ALTER TABLE lake.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE lake.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON lake.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;

-- The progress of the search for days without a compaction: one row, the last session that was searched.
CREATE TABLE lake.planning (
    singleton    boolean     NOT NULL DEFAULT true PRIMARY KEY CHECK (singleton),
    tenant_id    uuid        NOT NULL,
    session_id   uuid        NOT NULL,
    -- The days before this one are searched.
    end_day      date        NOT NULL,
    next_pass_at timestamptz NOT NULL
);

INSERT INTO lake.planning (tenant_id, session_id, end_day, next_pass_at)
VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 'epoch', now());

-- The experiment-service reads the files.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_experiment') THEN
        GRANT USAGE ON SCHEMA lake TO waybill_experiment;
        GRANT SELECT ON lake.compactions, lake.files TO waybill_experiment;
    END IF;
END $$;
