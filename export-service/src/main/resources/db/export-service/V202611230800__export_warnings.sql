-- What the caller was warned of when the export was ordered.
ALTER TABLE export.bulk_exports
    ADD COLUMN warnings text[] NOT NULL DEFAULT '{}';
