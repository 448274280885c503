-- What tracing clients send beside runs, and the removals of sessions that are under way.

-- Files that belong to runs, as they came.
CREATE TABLE trace.attachments (
    tenant_id    uuid        NOT NULL,
    run_id       uuid        NOT NULL,
    name         text        NOT NULL,
    content_type text,
    content      bytea       NOT NULL,
    received_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, name)
);

-- Images and archives do not get smaller by packing them again.
ALTER TABLE trace.attachments ALTER COLUMN content SET STORAGE EXTERNAL;

-- Feedback that came in a batch with runs, as JSON, until feedback has a place of its own.
CREATE TABLE trace.received_feedback (
    tenant_id   uuid        NOT NULL,
    id          uuid        NOT NULL,
    body        text        NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);

-- Sessions that are gone and whose runs are still to be deleted.
CREATE TABLE trace.session_removals (
    tenant_id  uuid        NOT NULL,
    session_id uuid        NOT NULL,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id)
);

DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['attachments', 'received_feedback', 'session_removals'] LOOP
        EXECUTE format('ALTER TABLE trace.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE trace.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON trace.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;
