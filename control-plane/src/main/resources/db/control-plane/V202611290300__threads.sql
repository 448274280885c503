-- Threads of deployments (docs/decisions/0170 and 0172). The runtimes of a deployment read and write its rows; the control
-- plane owns the tables, because it creates deployments and deletes their rows. Text has the collation "C" where its order
-- or ranges of it count, as in the other storage of threads. JSON is text where it is returned as it was stored.
CREATE SCHEMA IF NOT EXISTS runtime;

-- One row for each process that stores threads.
CREATE TABLE runtime.replicas (
    tenant_id     uuid        NOT NULL,
    deployment_id uuid        NOT NULL,
    replica_id    uuid        NOT NULL,
    lease_until   timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, replica_id)
);

CREATE TABLE runtime.threads (
    tenant_id        uuid             NOT NULL,
    deployment_id    uuid             NOT NULL,
    thread_id        uuid             NOT NULL,
    -- Made at the creation: a thread that is deleted and created again has another key.
    thread_key       uuid             NOT NULL,
    owner            text COLLATE "C" NOT NULL,
    -- A thread is busy while it has an active run; that is not stored.
    status           text COLLATE "C" NOT NULL CHECK (status IN ('idle', 'interrupted', 'error')),
    metadata         text             NOT NULL,
    config           text             NOT NULL,
    interrupts       text             NOT NULL,
    error            text,
    checkpoint_id    uuid,
    ttl_minutes      int,
    ttl_strategy     text CHECK (ttl_strategy IN ('delete', 'keep_latest')),
    expires_at       timestamptz,
    created_at       timestamptz      NOT NULL,
    updated_at       timestamptz      NOT NULL,
    state_updated_at timestamptz,
    PRIMARY KEY (tenant_id, deployment_id, thread_id),
    UNIQUE (tenant_id, deployment_id, thread_key)
) WITH (fillfactor = 80);

-- No index on the metadata: row level security evaluates its conditions first, so PostgreSQL never uses one with "contains".
CREATE INDEX threads_of_owner ON runtime.threads (tenant_id, deployment_id, owner, created_at, thread_id);
CREATE INDEX threads_expiry ON runtime.threads (tenant_id, deployment_id, expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE runtime.thread_values (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    thread_key    uuid             NOT NULL,
    -- '' for a state that is no object.
    channel       text COLLATE "C" NOT NULL,
    version       text             NOT NULL,
    value         text             NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, thread_key, channel)
);

-- Threads whose other rows the sweep deletes in batches.
CREATE TABLE runtime.deleted_threads (
    tenant_id     uuid NOT NULL,
    deployment_id uuid NOT NULL,
    thread_key    uuid NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, thread_key)
);

CREATE TABLE runtime.runs (
    tenant_id          uuid        NOT NULL,
    deployment_id      uuid        NOT NULL,
    run_id             uuid        NOT NULL,
    thread_key         uuid        NOT NULL,
    kind               text        NOT NULL CHECK (kind IN ('run', 'update')),
    assistant_id       uuid        NOT NULL,
    status             text        NOT NULL
        CHECK (status IN ('pending', 'running', 'success', 'error', 'timeout', 'interrupted')),
    -- With the status `running`, the fence of every write of the run.
    attempt            int         NOT NULL,
    replica_id         uuid        NOT NULL,
    multitask_strategy text        NOT NULL CHECK (multitask_strategy IN ('reject', 'enqueue', 'interrupt', 'rollback')),
    metadata           text        NOT NULL,
    request            bytea       NOT NULL,
    run_at             timestamptz,
    cancel             text CHECK (cancel IN ('interrupt', 'rollback')),
    error              text,
    created_at         timestamptz NOT NULL,
    started_at         timestamptz,
    updated_at         timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, run_id)
) WITH (fillfactor = 80);

-- At most one run of a thread is running; this decides races.
CREATE UNIQUE INDEX running_run_of_thread ON runtime.runs (tenant_id, deployment_id, thread_key) WHERE status = 'running';
CREATE INDEX runs_of_thread ON runtime.runs (tenant_id, deployment_id, thread_key, created_at, run_id);
CREATE INDEX active_runs ON runtime.runs (tenant_id, deployment_id, thread_key, created_at, run_id)
    WHERE status IN ('pending', 'running');
CREATE INDEX running_runs_of_replica ON runtime.runs (tenant_id, deployment_id, replica_id) WHERE status = 'running';

CREATE TABLE runtime.checkpoints (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    thread_key    uuid             NOT NULL,
    namespace     text COLLATE "C" NOT NULL,
    checkpoint_id uuid             NOT NULL,
    parent_id     uuid,
    run_id        uuid             NOT NULL,
    type          text             NOT NULL,
    metadata      text             NOT NULL,
    -- Channel: version.
    versions      jsonb            NOT NULL,
    body          bytea            NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, thread_key, namespace, checkpoint_id)
);

CREATE INDEX checkpoints_by_id ON runtime.checkpoints (tenant_id, deployment_id, thread_key, checkpoint_id);
CREATE INDEX checkpoints_of_run ON runtime.checkpoints (tenant_id, deployment_id, thread_key, run_id);

-- Values of channels, once per version.
CREATE TABLE runtime.blobs (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    thread_key    uuid             NOT NULL,
    namespace     text COLLATE "C" NOT NULL,
    channel       text COLLATE "C" NOT NULL,
    version       text COLLATE "C" NOT NULL,
    run_id        uuid             NOT NULL,
    type          text             NOT NULL,
    size          int              NOT NULL,
    -- NULL: the value was removed.
    value         bytea,
    PRIMARY KEY (tenant_id, deployment_id, thread_key, namespace, channel, version)
);

CREATE INDEX blobs_of_run ON runtime.blobs (tenant_id, deployment_id, thread_key, run_id);

-- Writes of tasks. The run is part of the key: the rollback of a run that answered an interrupt again restores the earlier
-- answer.
CREATE TABLE runtime.writes (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    thread_key    uuid             NOT NULL,
    namespace     text COLLATE "C" NOT NULL,
    checkpoint_id uuid             NOT NULL,
    task_id       text COLLATE "C" NOT NULL,
    position      int              NOT NULL,
    run_id        uuid             NOT NULL,
    sequence      bigint           NOT NULL GENERATED BY DEFAULT AS IDENTITY,
    task_path     text             NOT NULL,
    channel       text             NOT NULL,
    type          text             NOT NULL,
    size          int              NOT NULL,
    value         bytea,
    PRIMARY KEY (tenant_id, deployment_id, thread_key, namespace, checkpoint_id, task_id, position, run_id)
);

CREATE INDEX writes_of_run ON runtime.writes (tenant_id, deployment_id, thread_key, run_id);

-- Events of resumable runs.
CREATE TABLE runtime.run_events (
    tenant_id     uuid   NOT NULL,
    deployment_id uuid   NOT NULL,
    run_id        uuid   NOT NULL,
    first_number  bigint NOT NULL,
    last_number   bigint NOT NULL,
    thread_key    uuid   NOT NULL,
    chunk         bytea  NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, run_id, first_number)
);

CREATE INDEX run_events_of_thread ON runtime.run_events (tenant_id, deployment_id, thread_key);

CREATE TABLE runtime.assistants (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    assistant_id  uuid             NOT NULL,
    owner         text COLLATE "C" NOT NULL,
    version       int              NOT NULL,
    created_at    timestamptz      NOT NULL,
    updated_at    timestamptz      NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, assistant_id)
);

CREATE INDEX assistants_of_owner ON runtime.assistants (tenant_id, deployment_id, owner, created_at, assistant_id);

CREATE TABLE runtime.assistant_versions (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    assistant_id  uuid             NOT NULL,
    version       int              NOT NULL,
    graph_id      text COLLATE "C" NOT NULL,
    name          text COLLATE "C" NOT NULL,
    description   text,
    config        text             NOT NULL,
    context       text             NOT NULL,
    metadata      text             NOT NULL,
    created_at    timestamptz      NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, assistant_id, version)
);

-- Items of the store. A namespace is its labels, each followed by a full stop, so a prefix is a range of the key.
CREATE TABLE runtime.items (
    tenant_id     uuid             NOT NULL,
    deployment_id uuid             NOT NULL,
    owner         text COLLATE "C" NOT NULL,
    namespace     text COLLATE "C" NOT NULL,
    key           text COLLATE "C" NOT NULL,
    value         text             NOT NULL,
    ttl_minutes   int,
    expires_at    timestamptz,
    created_at    timestamptz      NOT NULL,
    updated_at    timestamptz      NOT NULL,
    PRIMARY KEY (tenant_id, deployment_id, owner, namespace, key)
);

CREATE INDEX items_expiry ON runtime.items (tenant_id, deployment_id, expires_at) WHERE expires_at IS NOT NULL;

-- The second lock behind the conditions of every statement. These policies are for the owner of the tables only: a runtime
-- could change the settings.
DO $$
DECLARE
    secured text;
BEGIN
    FOR secured IN SELECT tablename FROM pg_tables WHERE schemaname = 'runtime' LOOP
        EXECUTE format('ALTER TABLE runtime.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE runtime.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON runtime.%I TO CURRENT_USER USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;

-- LZ4 decompresses faster; a server may be built without it.
DO $$
BEGIN
    ALTER TABLE runtime.checkpoints ALTER COLUMN body SET COMPRESSION lz4;
    ALTER TABLE runtime.blobs ALTER COLUMN value SET COMPRESSION lz4;
    ALTER TABLE runtime.writes ALTER COLUMN value SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported THEN NULL;
END $$;
