-- Searches must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- When days whose files lack a text index are planned next.
ALTER TABLE lake.planning ADD COLUMN next_rebuild_at timestamptz NOT NULL DEFAULT now();

-- Finds the files without an index of the present version, of which there are none usually.
CREATE INDEX files_index_version ON lake.files ((coalesce(index_version, 0)));

-- A table with many snapshots is published less often, also if its files change; null for no limit.
ALTER TABLE lake.tables ADD COLUMN not_before timestamptz;
