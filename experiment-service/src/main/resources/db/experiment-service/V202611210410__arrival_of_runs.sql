-- Which transaction stored a run: with it an export tells, to the row, what its own snapshot did not see. Only new rows have it,
-- so nothing is rewritten; received_at alone is when that transaction began.
ALTER TABLE trace.runs ADD COLUMN received_in xid8;
ALTER TABLE trace.runs ALTER COLUMN received_in SET DEFAULT pg_current_xact_id();

-- Few runs arrive long after they started, so this costs the others nothing. Exports count in it what came too late for them.
CREATE INDEX runs_that_came_late ON trace.runs (tenant_id, session_id, received_at)
    WHERE received_at - start_time > interval '1 minute';
