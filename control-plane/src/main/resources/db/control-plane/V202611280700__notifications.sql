-- Rules by which a workspace is notified of events, and the deliveries of events (docs/decisions/0166).
CREATE TABLE account.notification_rules (
    tenant_id      uuid        NOT NULL REFERENCES account.workspaces (id),
    id             uuid        NOT NULL,
    name           text        NOT NULL,
    events         text[]      NOT NULL,
    -- URL and secret, encrypted: URLs of webhooks often contain a secret.
    webhook        bytea,
    webhook_origin text,
    email_to       text[],
    enabled        boolean     NOT NULL DEFAULT true,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CHECK ((webhook IS NULL) = (webhook_origin IS NULL) AND (webhook IS NULL) <> (email_to IS NULL))
);

CREATE TABLE account.notification_deliveries (
    tenant_id       uuid        NOT NULL,
    id              uuid        NOT NULL,
    rule_id         uuid        NOT NULL,
    type            text        NOT NULL,
    -- JSON, which is not queried.
    data            text        NOT NULL,
    status          text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts        int         NOT NULL DEFAULT 0,
    error           text,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at     timestamptz,
    lease_token     bigint      NOT NULL DEFAULT 0,
    lease_until     timestamptz,
    lease_owner     text,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, rule_id) REFERENCES account.notification_rules (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX notification_deliveries_due ON account.notification_deliveries (tenant_id, attempts, next_attempt_at)
    WHERE status = 'pending';
CREATE INDEX notification_deliveries_pending ON account.notification_deliveries (tenant_id, rule_id)
    WHERE status = 'pending';
CREATE INDEX notification_deliveries_leased ON account.notification_deliveries (tenant_id) WHERE lease_until IS NOT NULL;
CREATE INDEX notification_deliveries_of_rule ON account.notification_deliveries (tenant_id, rule_id, created_at DESC, id);
CREATE INDEX notification_deliveries_finished ON account.notification_deliveries (finished_at) WHERE finished_at IS NOT NULL;

DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['notification_rules', 'notification_deliveries'] LOOP
        EXECUTE format('ALTER TABLE account.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE account.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON account.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
    -- The export-service stores events of exports, and sees nothing else of a rule.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_export') THEN
        -- Locking a rule needs the right to update some column.
        GRANT SELECT (tenant_id, id, events, enabled), UPDATE (updated_at) ON account.notification_rules TO waybill_export;
        GRANT SELECT (tenant_id, rule_id, status), INSERT (tenant_id, id, rule_id, type, data)
            ON account.notification_deliveries TO waybill_export;
    END IF;
END $$;
