-- Files of a run that are whole, written by an attempt that has not ended or that failed: the next one goes on behind them
-- (docs/decisions/0131). The commit record takes them over.
CREATE TABLE export.checkpoints (
    tenant_id       uuid        NOT NULL,
    run_id          uuid        NOT NULL,
    number          int         NOT NULL,
    key             text        NOT NULL,
    upload          jsonb       NOT NULL,
    rows            bigint      NOT NULL,
    bytes           bigint      NOT NULL,
    sha256          text        NOT NULL,
    min_start_time  timestamptz NOT NULL,
    max_start_time  timestamptz NOT NULL,
    truncated_rows  bigint      NOT NULL,
    -- The file's last row, and what the attempt saw of the traces: all rows up to that one are in this file or those before.
    last_start_time timestamptz NOT NULL,
    last_id         uuid        NOT NULL,
    snapshot        pg_snapshot NOT NULL,
    snapshot_at     timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, run_id, number),
    FOREIGN KEY (tenant_id, run_id) REFERENCES export.runs (tenant_id, id)
);

ALTER TABLE export.checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE export.checkpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON export.checkpoints USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));

-- Of files that an earlier attempt wrote: what that one saw, so that rows stored later are counted as late.
ALTER TABLE export.files
    ADD COLUMN last_start_time timestamptz,
    ADD COLUMN last_id         uuid,
    ADD COLUMN snapshot        pg_snapshot,
    ADD COLUMN snapshot_at     timestamptz;
