-- Idempotency-Key on creating POSTs (contract.md "Everywhere").
CREATE TABLE export.idempotency_keys (
    -- The workspace; the organization for calls that name none.
    tenant_id   uuid        NOT NULL,
    operation   text        NOT NULL,
    key         text        NOT NULL,
    id          uuid        NOT NULL,
    attempt     integer     NOT NULL,
    -- Sealed: the SHA-256 of the request, which may hold a bucket's credentials.
    request     bytea       NOT NULL,
    -- What was made, set in the transaction that made it.
    created_id  uuid,
    -- Sealed: the answer.
    answer      bytea,
    lease_until timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, operation, key)
);

CREATE INDEX idempotency_keys_by_expiry ON export.idempotency_keys (expires_at);

-- The second lock behind the tenant_id condition of every statement.
ALTER TABLE export.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE export.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON export.idempotency_keys USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));
