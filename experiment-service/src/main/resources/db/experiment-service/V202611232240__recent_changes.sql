-- What changed in a workspace during the last minutes, for its event stream (docs/decisions/0158). Each replica writes at most once
-- a second, outside the transactions of the changes. Nothing is lost with it that a client cannot read again, so it needs no WAL.
CREATE UNLOGGED TABLE trace.recent_changes (
    tenant_id  uuid        NOT NULL,
    type       text        NOT NULL,
    -- 00000000-... for several resources or an unknown one.
    id         uuid        NOT NULL,
    session_id uuid,
    dataset_id uuid,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, type, id)
) WITH (fillfactor = 50);

DO $$
BEGIN
    PERFORM trace.secure('trace.recent_changes');
END $$;
