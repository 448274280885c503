-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Runs whose events are stored for clients of other replicas, until this time (docs/decisions/0183).
ALTER TABLE runtime.runs ADD COLUMN followed_until timestamptz;
