-- A deleted dataset is nobody's from the moment it has a time here; its row goes last, when its examples are gone, so that no
-- new dataset of the same id meets them. Its name is free at once.
ALTER TABLE trace.datasets ADD COLUMN removed_at timestamptz;
ALTER TABLE trace.datasets DROP CONSTRAINT datasets_tenant_id_name_key;
CREATE UNIQUE INDEX datasets_by_name ON trace.datasets (tenant_id, name) WHERE removed_at IS NULL;

-- What a killed replica left behind.
CREATE INDEX datasets_to_remove ON trace.datasets (removed_at) WHERE removed_at IS NOT NULL;
