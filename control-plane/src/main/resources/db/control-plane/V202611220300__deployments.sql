-- Integrations, deployments and their revisions (contract.md "Deployment management").
CREATE SCHEMA IF NOT EXISTS deploy;

CREATE TABLE deploy.integrations (
    tenant_id       uuid        NOT NULL,
    id              uuid        NOT NULL,
    installation_id bigint      NOT NULL,
    name            text        NOT NULL,
    provider        text        NOT NULL CHECK (provider IN ('github', 'gitlab', 'gitea', 'other')),
    base_url        text        NOT NULL,
    -- Sealed for this workspace and this row (common.secret): token or key, and what pushes are signed with.
    credential      bytea,
    webhook_secret  bytea       NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);

CREATE UNIQUE INDEX integrations_once ON deploy.integrations (tenant_id, base_url, installation_id);
CREATE INDEX integrations_newest_first ON deploy.integrations (tenant_id, created_at DESC, id);
-- A push names its repository and no workspace.
CREATE INDEX integrations_by_address ON deploy.integrations (base_url, created_at);

CREATE TABLE deploy.deployments (
    tenant_id              uuid        NOT NULL,
    id                     uuid        NOT NULL,
    name                   text        NOT NULL,
    display_name           text,
    source                 text        NOT NULL CHECK (source IN ('repohost', 'github', 'external_docker')),
    -- As the wire has them, for the next revision.
    source_config          jsonb       NOT NULL,
    source_revision_config jsonb       NOT NULL,
    -- Sealed for this row: name → value.
    secrets                bytea,
    secret_names           text[]      NOT NULL,
    -- 0: its address needs none.
    port                   int         NOT NULL,
    url                    text        NOT NULL,
    latest_revision_id     uuid,
    active_revision_id     uuid,
    created_at             timestamptz NOT NULL DEFAULT now(),
    updated_at             timestamptz NOT NULL DEFAULT now(),
    -- Set: nothing of it is to be left; the row goes when that is so.
    deleted_at             timestamptz,
    revisions              bigint      NOT NULL DEFAULT 0,
    -- Whether something is to be stopped that an overtaken, failed, interrupted or replaced revision may have left.
    untidy                 boolean     NOT NULL DEFAULT false,
    -- Tries of what is being done now that failed or are not done yet.
    tries                  int         NOT NULL DEFAULT 0,
    -- When there is something to do about it; NULL: when somebody asks for something.
    next_look_at           timestamptz,
    lease_token            bigint      NOT NULL DEFAULT 0,
    lease_until            timestamptz,
    lease_owner            text,
    integration_id         uuid GENERATED ALWAYS AS ((source_config ->> 'integration_id')::uuid) STORED,
    repo_url               text GENERATED ALWAYS AS (source_config ->> 'repo_url') STORED,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, integration_id) REFERENCES deploy.integrations (tenant_id, id)
);

-- A name is free again as soon as its deployment is deleted.
CREATE UNIQUE INDEX deployments_name ON deploy.deployments (tenant_id, name) WHERE deleted_at IS NULL;
CREATE INDEX deployments_newest_first ON deploy.deployments (tenant_id, created_at DESC, id);
CREATE INDEX deployments_due ON deploy.deployments (next_look_at, id) WHERE next_look_at IS NOT NULL;
CREATE INDEX deployments_by_integration ON deploy.deployments (tenant_id, integration_id) WHERE integration_id IS NOT NULL;

CREATE TABLE deploy.revisions (
    tenant_id              uuid        NOT NULL,
    id                     uuid        NOT NULL,
    deployment_id          uuid        NOT NULL,
    number                 bigint      NOT NULL CHECK (number >= 1),
    status                 text        NOT NULL CHECK (status IN ('CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING',
        'AWAITING_DEPLOY', 'DEPLOYING', 'DEPLOYED', 'UNKNOWN', 'CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED', 'SKIPPED',
        'INTERRUPTED')),
    status_message         text,
    source                 text        NOT NULL,
    source_config          jsonb       NOT NULL,
    source_revision_config jsonb       NOT NULL,
    repo_commit_sha        text,
    -- Sealed for this row: what it is started with, also when a later revision has other secrets and fails.
    secrets                bytea,
    created_at             timestamptz NOT NULL DEFAULT now(),
    updated_at             timestamptz NOT NULL DEFAULT now(),
    -- Since when the present step is tried: its time runs on while control planes come and go.
    step_since             timestamptz NOT NULL DEFAULT now(),
    log_lines              bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, deployment_id, number),
    UNIQUE (tenant_id, deployment_id, id),
    FOREIGN KEY (tenant_id, deployment_id) REFERENCES deploy.deployments (tenant_id, id) ON DELETE CASCADE
);

-- At most one is on its way; a newer one overtakes it in the same transaction.
CREATE UNIQUE INDEX revisions_one_under_way ON deploy.revisions (tenant_id, deployment_id)
    WHERE status IN ('CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING');

ALTER TABLE deploy.deployments
    ADD FOREIGN KEY (tenant_id, id, latest_revision_id) REFERENCES deploy.revisions (tenant_id, deployment_id, id)
        DEFERRABLE INITIALLY DEFERRED,
    ADD FOREIGN KEY (tenant_id, id, active_revision_id) REFERENCES deploy.revisions (tenant_id, deployment_id, id)
        DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE deploy.log_lines (
    tenant_id   uuid        NOT NULL,
    revision_id uuid        NOT NULL,
    position    bigint      NOT NULL,
    at          timestamptz NOT NULL,
    phase       text        NOT NULL CHECK (phase IN ('build', 'deploy')),
    stream      text        NOT NULL CHECK (stream IN ('system', 'stdout', 'stderr')),
    line        text        NOT NULL,
    PRIMARY KEY (tenant_id, revision_id, position),
    FOREIGN KEY (tenant_id, revision_id) REFERENCES deploy.revisions (tenant_id, id) ON DELETE CASCADE
);

-- Pushes that were taken: the same delivery again, or the same body under another name, changes nothing.
CREATE TABLE deploy.deliveries (
    tenant_id      uuid        NOT NULL,
    integration_id uuid        NOT NULL,
    delivery       text        NOT NULL,
    body_sha256    bytea       NOT NULL CHECK (octet_length(body_sha256) = 32),
    received_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, integration_id, delivery),
    UNIQUE (tenant_id, integration_id, body_sha256),
    FOREIGN KEY (tenant_id, integration_id) REFERENCES deploy.integrations (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX deliveries_by_age ON deploy.deliveries (received_at);

-- Ports of this installation are one pool for all workspaces, so this table alone is not divided among them.
CREATE TABLE deploy.ports (
    port          int  PRIMARY KEY,
    tenant_id     uuid NOT NULL,
    deployment_id uuid NOT NULL,
    FOREIGN KEY (tenant_id, deployment_id) REFERENCES deploy.deployments (tenant_id, id) ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX ports_by_deployment ON deploy.ports (tenant_id, deployment_id);

-- The second lock behind the tenant_id condition of every statement.
DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['integrations', 'deployments', 'revisions', 'log_lines', 'deliveries'] LOOP
        EXECUTE format('ALTER TABLE deploy.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE deploy.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON deploy.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;
