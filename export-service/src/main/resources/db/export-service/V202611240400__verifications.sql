-- Verifications of exports: jobs that compare the objects in the bucket with the commit record (docs/decisions/0164).
CREATE TABLE export.verifications (
    tenant_id        uuid        NOT NULL,
    id               uuid        NOT NULL,
    export_id        uuid        NOT NULL,
    status           text        NOT NULL DEFAULT 'Created' CHECK (status IN ('Created', 'Running', 'Completed', 'Failed')),
    files_total      int         NOT NULL,
    bytes_total      bigint      NOT NULL,
    -- The checkpoint: the first files in the order of the manifest, their bytes, the rows in their footers, and what differs.
    files_checked    int         NOT NULL DEFAULT 0,
    bytes_checked    bigint      NOT NULL DEFAULT 0,
    rows_in_files    bigint      NOT NULL DEFAULT 0,
    mismatches       jsonb       NOT NULL DEFAULT '[]',
    mismatches_total bigint      NOT NULL DEFAULT 0,
    -- Set at the end.
    rows_counted     bigint,
    rows_encoded     bigint,
    rows_in_manifest bigint,
    objects_listed   boolean,
    intact           boolean,
    receipt          jsonb,
    error_code       text,
    error_message    text,
    created_at       timestamptz NOT NULL DEFAULT now(),
    updated_at       timestamptz NOT NULL DEFAULT now(),
    started_at       timestamptz,
    finished_at      timestamptz,
    -- Number of attempts since the checkpoint advanced.
    attempts         int         NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz NOT NULL DEFAULT now(),
    lease_token      bigint      NOT NULL DEFAULT 0,
    lease_until      timestamptz,
    lease_owner      text,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, export_id) REFERENCES export.bulk_exports (tenant_id, id),
    CHECK ((finished_at IS NULL) = (status IN ('Created', 'Running'))),
    CHECK ((intact IS NULL) = (status <> 'Completed')),
    CHECK ((error_code IS NULL) = (status <> 'Failed')),
    CHECK (receipt IS NULL OR intact)
);

CREATE INDEX verifications_newest_first ON export.verifications (tenant_id, export_id, created_at DESC, id);
CREATE UNIQUE INDEX verifications_unfinished ON export.verifications (tenant_id, export_id)
    WHERE status IN ('Created', 'Running');
CREATE INDEX verifications_due ON export.verifications (created_at, id) WHERE status IN ('Created', 'Running');

-- Key pairs that sign receipts. A workspace has one for each encryption key, so a new encryption key begins a new key pair.
CREATE TABLE export.receipt_keys (
    tenant_id      uuid        NOT NULL,
    id             uuid        NOT NULL,
    -- Id of the encryption key (waybill.encryption.keys) of private_key.
    encryption_key text        NOT NULL,
    -- X.509 SubjectPublicKeyInfo.
    public_key     bytea       NOT NULL,
    -- Encrypted: PKCS #8.
    private_key    bytea       NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, encryption_key)
);

-- The second lock behind the tenant_id condition of every statement.
DO $$
DECLARE
    secured text;
BEGIN
    FOREACH secured IN ARRAY ARRAY ['verifications', 'receipt_keys'] LOOP
        EXECUTE format('ALTER TABLE export.%I ENABLE ROW LEVEL SECURITY', secured);
        EXECUTE format('ALTER TABLE export.%I FORCE ROW LEVEL SECURITY', secured);
        EXECUTE format('CREATE POLICY one_workspace ON export.%I USING ('
            'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
            'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
    END LOOP;
END $$;
