-- Searches must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Whether a file has the column latency (docs/decisions/0209); false for files of earlier releases.
ALTER TABLE lake.files ADD COLUMN has_latency boolean NOT NULL DEFAULT false;
