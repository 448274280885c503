-- Searches must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Tables of the lake for engines (docs/lake-tables.md): the publication of each workspace, and the catalog.
CREATE TABLE lake.tables (
    tenant_id       uuid        NOT NULL PRIMARY KEY,
    id              uuid        NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    -- Counts the changes of the workspace's files, so that none is missed while a publication runs.
    requests        bigint      NOT NULL DEFAULT 1,
    -- When the table is published next; null if it has the files and one snapshot only.
    due_at          timestamptz DEFAULT now(),
    -- The files of the last publication, which the table contained at this time.
    published       bigint      NOT NULL DEFAULT 0,
    published_at    timestamptz,
    -- Of the last attempt, if it failed.
    error_code      text,
    attempts        int         NOT NULL DEFAULT 0,
    lease_token     bigint      NOT NULL DEFAULT 0,
    lease_until     timestamptz,
    lease_owner     text
);

CREATE INDEX tables_due ON lake.tables (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE lake.tables ENABLE ROW LEVEL SECURITY;
ALTER TABLE lake.tables FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON lake.tables USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));

-- Whether a retained snapshot of the table may refer to the file; such a file is not deleted. True by default, because the
-- previous release does not know the column.
ALTER TABLE lake.obsolete_files ADD COLUMN in_table boolean NOT NULL DEFAULT true;

-- Days that were compacted before.
SET LOCAL waybill.every_workspace = 'on';
UPDATE lake.obsolete_files SET in_table = false;
INSERT INTO lake.tables (tenant_id) SELECT DISTINCT tenant_id FROM lake.files;

-- Iceberg's JDBC catalog, whose tables engines expect under these names.
CREATE SCHEMA IF NOT EXISTS lake_catalog;

CREATE TABLE lake_catalog.iceberg_tables (
    catalog_name               varchar(255) NOT NULL,
    table_namespace            varchar(255) NOT NULL,
    table_name                 varchar(255) NOT NULL,
    metadata_location          varchar(1000),
    previous_metadata_location varchar(1000),
    iceberg_type               varchar(5),
    PRIMARY KEY (catalog_name, table_namespace, table_name)
);

CREATE TABLE lake_catalog.iceberg_namespace_properties (
    catalog_name   varchar(255) NOT NULL,
    namespace      varchar(255) NOT NULL,
    property_key   varchar(255),
    property_value varchar(1000),
    PRIMARY KEY (catalog_name, namespace, property_key)
);

-- Without a policy, only the owner sees rows: operators add one for each role that reads tables.
ALTER TABLE lake_catalog.iceberg_tables ENABLE ROW LEVEL SECURITY;
ALTER TABLE lake_catalog.iceberg_namespace_properties ENABLE ROW LEVEL SECURITY;
