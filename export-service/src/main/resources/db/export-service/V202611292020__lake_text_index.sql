-- Searches must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- The text index beside each file (docs/decisions/0187); null for files that were written without one.
ALTER TABLE lake.files
    ADD COLUMN index_bytes bigint,
    ADD COLUMN index_version int;
