-- Events of the audit log for GET /v1/audit-events (docs/decisions/0167). The services write them; log lines remain the
-- complete record.
CREATE TABLE account.audit_events (
    id              uuid        PRIMARY KEY,
    -- No foreign keys, which would lock the row of the organization for each event.
    organization_id uuid        NOT NULL,
    -- NULL: the request named no workspace.
    tenant_id       uuid,
    occurred_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    service         text        NOT NULL,
    actor           text        NOT NULL,
    actor_id        text,
    method          text        NOT NULL,
    route           text,
    path            text        NOT NULL,
    resource_id     uuid,
    outcome         text        NOT NULL CHECK (outcome IN ('done', 'replayed', 'refused', 'failed')),
    status          int         NOT NULL,
    client_address  text,
    user_agent      text,
    request_id      text
);

CREATE INDEX audit_events_of_workspace ON account.audit_events (tenant_id, occurred_at DESC, id DESC)
    WHERE tenant_id IS NOT NULL;
CREATE INDEX audit_events_of_organization ON account.audit_events (organization_id, occurred_at DESC, id DESC)
    WHERE tenant_id IS NULL;
CREATE INDEX audit_events_by_time ON account.audit_events (occurred_at);

ALTER TABLE account.audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE account.audit_events FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON account.audit_events USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));
CREATE POLICY one_organization ON account.audit_events FOR SELECT USING (
    tenant_id IS NULL
    AND organization_id = (SELECT nullif(current_setting('waybill.organization_id', true), '')::uuid));
-- Events are inserted by a single statement, without a transaction that sets the workspace.
CREATE POLICY any_insert ON account.audit_events FOR INSERT WITH CHECK (true);

-- The other services insert events, and cannot read or change them.
DO $$
DECLARE
    writer text;
BEGIN
    FOREACH writer IN ARRAY string_to_array('${key_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = writer) THEN
            EXECUTE format('GRANT INSERT ON account.audit_events TO %I', writer);
        END IF;
    END LOOP;
END $$;
