-- Buckets that exports go to (contract.md "Bulk export").
CREATE TABLE export.destinations (
    tenant_id                uuid        NOT NULL,
    id                       uuid        NOT NULL,
    destination_type         text        NOT NULL CHECK (destination_type IN ('s3')),
    display_name             text        NOT NULL,
    bucket_name              text        NOT NULL,
    prefix                   text        NOT NULL,
    region                   text,
    endpoint_url             text,
    include_bucket_in_prefix boolean     NOT NULL,
    -- Sealed for this workspace and this row (common.secret). NULL: the service's own credentials, or a deleted destination.
    credentials              bytea,
    credentials_keys         text[]      NOT NULL,
    -- What the credentials were found to allow beside writing.
    may_read                 boolean     NOT NULL,
    may_delete               boolean     NOT NULL,
    may_abort                boolean     NOT NULL,
    may_list_uploads         boolean     NOT NULL,
    created_at               timestamptz NOT NULL,
    updated_at               timestamptz NOT NULL,
    -- Exports that have ended still name their destination, so its row stays without its secrets.
    deleted_at               timestamptz,
    PRIMARY KEY (tenant_id, id),
    CHECK (deleted_at IS NULL OR credentials IS NULL),
    -- The service's own identity never signs requests to an endpoint that a customer names.
    CHECK (endpoint_url IS NULL OR credentials IS NOT NULL OR deleted_at IS NOT NULL)
);

CREATE INDEX destinations_newest_first ON export.destinations (tenant_id, created_at DESC, id) WHERE deleted_at IS NULL;

-- The second lock behind the tenant_id condition of every statement.
ALTER TABLE export.destinations ENABLE ROW LEVEL SECURITY;
ALTER TABLE export.destinations FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON export.destinations USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));
