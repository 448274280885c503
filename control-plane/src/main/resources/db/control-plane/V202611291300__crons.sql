-- Crons of deployments (docs/decisions/0176): requests that start runs on a schedule. Owned and secured as the other tables
-- of the schema (V202611290300).
CREATE TABLE runtime.crons (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    cron_id       uuid             NOT NULL,
    owner         text COLLATE "C" NOT NULL,
    principal     text             NOT NULL,
    assistant_id  uuid             NOT NULL,
    -- NULL: each run gets a thread of its own, which remains if keeps_threads is set.
    thread_id     uuid,
    keeps_threads boolean          NOT NULL,
    schedule      text             NOT NULL,
    zone          text,
    end_time      timestamptz,
    enabled       boolean          NOT NULL,
    payload       text             NOT NULL,
    metadata      text             NOT NULL,
    next_run_date timestamptz,
    created_at    timestamptz      NOT NULL,
    updated_at    timestamptz      NOT NULL,
    -- The fence of a date: every change and every fired date increase it.
    revision      bigint           NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, cron_id)
);

CREATE INDEX crons_of_owner ON runtime.crons (tenant_id, deployment_id, owner, created_at, cron_id);
CREATE INDEX crons_due ON runtime.crons (tenant_id, deployment_id, next_run_date) WHERE enabled;

ALTER TABLE runtime.crons ENABLE ROW LEVEL SECURITY;
ALTER TABLE runtime.crons FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON runtime.crons TO CURRENT_USER USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));

SELECT runtime.allow_applications();
