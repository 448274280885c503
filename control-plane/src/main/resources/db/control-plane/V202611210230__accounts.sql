-- Organizations, workspaces and API keys (contract.md "Accounts and keys").
CREATE TABLE account.organizations (
    id         uuid PRIMARY KEY,
    name       text        NOT NULL,
    plan       text        NOT NULL CHECK (plan IN ('free', 'plus', 'enterprise')),
    created_at timestamptz NOT NULL
);

CREATE TABLE account.workspaces (
    id              uuid PRIMARY KEY,
    organization_id uuid        NOT NULL REFERENCES account.organizations (id),
    name            text        NOT NULL,
    created_at      timestamptz NOT NULL,
    UNIQUE (organization_id, name),
    UNIQUE (organization_id, id)
);

CREATE TABLE account.api_keys (
    id              uuid PRIMARY KEY,
    organization_id uuid        NOT NULL REFERENCES account.organizations (id),
    -- NULL: the key opens every workspace of its organization.
    workspace_id    uuid,
    name            text        NOT NULL,
    prefix          text        NOT NULL UNIQUE,
    -- SHA-256 of the whole key; the key itself has 256 random bits, so no slow hash is needed.
    hash            bytea       NOT NULL CHECK (octet_length(hash) = 32),
    role            text        NOT NULL CHECK (role IN ('admin', 'member')),
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz,
    last_used_at    timestamptz,
    revoked_at      timestamptz,
    FOREIGN KEY (organization_id, workspace_id) REFERENCES account.workspaces (organization_id, id)
);

CREATE INDEX api_keys_by_organization ON account.api_keys (organization_id, created_at DESC, id);

-- The other services check keys here and note their use; they can do nothing else in this schema.
DO $$
DECLARE
    reader text;
BEGIN
    FOREACH reader IN ARRAY string_to_array('${key_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN
            EXECUTE format('GRANT USAGE ON SCHEMA account TO %I', reader);
            EXECUTE format('GRANT SELECT ON account.organizations, account.workspaces, account.api_keys TO %I', reader);
            EXECUTE format('GRANT UPDATE (last_used_at) ON account.api_keys TO %I', reader);
        END IF;
    END LOOP;
END $$;
