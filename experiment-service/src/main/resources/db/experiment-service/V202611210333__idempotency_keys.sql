-- Idempotency-Key on creating POSTs (contract.md "Everywhere"). Row level security is not for this schema, whose rows are
-- read before it is known who calls.
CREATE TABLE trace.idempotency_keys (
    tenant_id   uuid        NOT NULL,
    operation   text        NOT NULL,
    key         text        NOT NULL,
    id          uuid        NOT NULL,
    attempt     integer     NOT NULL,
    -- Sealed: the SHA-256 of the request.
    request     bytea       NOT NULL,
    -- What was made, set in the transaction that made it.
    created_id  uuid,
    -- Sealed: the answer, which may hold an API key.
    answer      bytea,
    lease_until timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, operation, key)
);

CREATE INDEX idempotency_keys_by_expiry ON trace.idempotency_keys (expires_at);
