-- Bulk exports, their days ("runs") and the files those become (contract.md "Bulk export").
CREATE TABLE export.bulk_exports (
    tenant_id             uuid        NOT NULL,
    id                    uuid        NOT NULL,
    destination_id        uuid        NOT NULL,
    session_id            uuid        NOT NULL,
    source_bulk_export_id uuid,
    start_time            timestamptz NOT NULL,
    end_time              timestamptz NOT NULL,
    -- Where in the bucket: fixed here, so that every day and the manifest lie under the same one.
    key_prefix            text        NOT NULL,
    format                text        NOT NULL,
    format_version        text        NOT NULL,
    compression           text        NOT NULL,
    -- NULL: every exportable field there is.
    export_fields         text[],
    status                text        NOT NULL CHECK (status IN
        ('Created', 'Running', 'Completed', 'Failed', 'TimedOut', 'Cancelled')),
    created_at            timestamptz NOT NULL DEFAULT now(),
    updated_at            timestamptz NOT NULL DEFAULT now(),
    started_at            timestamptz,
    finished_at           timestamptz,
    -- The lease is for the last step, the manifest; days have leases of their own.
    attempts              int         NOT NULL DEFAULT 0,
    next_attempt_at       timestamptz NOT NULL DEFAULT now(),
    lease_token           bigint      NOT NULL DEFAULT 0,
    lease_until           timestamptz,
    lease_owner           text,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, destination_id) REFERENCES export.destinations (tenant_id, id),
    CHECK (start_time < end_time),
    CHECK ((finished_at IS NULL) = (status IN ('Created', 'Running'))),
    CHECK (started_at IS NOT NULL OR status IN ('Created', 'Cancelled'))
);

CREATE INDEX bulk_exports_newest_first ON export.bulk_exports (tenant_id, created_at DESC, id);
CREATE INDEX bulk_exports_unfinished ON export.bulk_exports (tenant_id, status, created_at, id)
    WHERE status IN ('Created', 'Running');
CREATE INDEX bulk_exports_by_destination ON export.bulk_exports (tenant_id, destination_id)
    WHERE status IN ('Created', 'Running');
CREATE INDEX bulk_exports_spawned ON export.bulk_exports (tenant_id, source_bulk_export_id)
    WHERE source_bulk_export_id IS NOT NULL;

CREATE TABLE export.runs (
    tenant_id       uuid        NOT NULL,
    id              uuid        NOT NULL,
    export_id       uuid        NOT NULL,
    -- The how-manieth day of its export, from 0: work goes round by it, so that a long export does not hold up short ones.
    position        int         NOT NULL,
    start_time      timestamptz NOT NULL,
    end_time        timestamptz NOT NULL,
    -- Committing: the commit record is written (export.files), its uploads are being completed. Shown as Running.
    state           text        NOT NULL DEFAULT 'Created' CHECK (state IN
        ('Created', 'Running', 'Committing', 'Completed', 'Failed', 'TimedOut', 'Cancelled')),
    rows_written    bigint      NOT NULL DEFAULT 0,
    bytes_written   bigint      NOT NULL DEFAULT 0,
    -- Attempt number → {code, message, at}.
    errors          jsonb       NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    started_at      timestamptz,
    finished_at     timestamptz,
    attempts        int         NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    lease_token     bigint      NOT NULL DEFAULT 0,
    lease_until     timestamptz,
    lease_owner     text,
    -- Whether the bucket may hold uploads of this day that are neither completed nor aborted.
    uploads_open    boolean     NOT NULL DEFAULT false,
    sweeps          int         NOT NULL DEFAULT 0,
    next_sweep_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, export_id, position),
    FOREIGN KEY (tenant_id, export_id) REFERENCES export.bulk_exports (tenant_id, id),
    CHECK (start_time < end_time),
    CHECK ((finished_at IS NULL) = (state IN ('Created', 'Running', 'Committing'))),
    CHECK (started_at IS NOT NULL OR state IN ('Created', 'Cancelled', 'TimedOut'))
);

CREATE INDEX runs_in_turn ON export.runs (position, id) WHERE state IN ('Created', 'Running', 'Committing');
CREATE INDEX runs_unfinished ON export.runs (tenant_id, export_id) WHERE state IN ('Created', 'Running', 'Committing');
CREATE INDEX runs_leased ON export.runs (tenant_id, export_id) WHERE lease_until IS NOT NULL;
CREATE INDEX runs_to_sweep ON export.runs (next_sweep_at) WHERE uploads_open;

-- The commit record: files whose parts are all in the store. Later it is the list of the files that the export consists of.
CREATE TABLE export.files (
    tenant_id      uuid        NOT NULL,
    run_id         uuid        NOT NULL,
    number         int         NOT NULL,
    key            text        NOT NULL,
    -- Upload id, parts and entity tags: what completing the upload takes.
    upload         jsonb       NOT NULL,
    rows           bigint      NOT NULL,
    bytes          bigint      NOT NULL,
    sha256         text        NOT NULL,
    min_start_time timestamptz NOT NULL,
    max_start_time timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, run_id, number),
    FOREIGN KEY (tenant_id, run_id) REFERENCES export.runs (tenant_id, id)
);

-- Uploads that a worker has begun, so that another can abort them where the store does not list them.
CREATE TABLE export.uploads (
    tenant_id   uuid        NOT NULL,
    run_id      uuid        NOT NULL,
    upload_id   text        NOT NULL,
    key         text        NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, upload_id),
    FOREIGN KEY (tenant_id, run_id) REFERENCES export.runs (tenant_id, id)
);

-- The second lock behind the tenant_id condition of every statement.
DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['bulk_exports', 'runs', 'files', 'uploads'] LOOP
        EXECUTE format('ALTER TABLE export.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE export.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON export.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;
