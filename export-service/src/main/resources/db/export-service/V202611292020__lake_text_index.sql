-- The text index beside each file (docs/decisions/0187); null for files that were written without one.
ALTER TABLE lake.files
    ADD COLUMN index_bytes bigint,
    ADD COLUMN index_version int;
