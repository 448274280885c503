-- The place in a trace (W3C traceparent) of the request that made the revision, for whoever works on it later; NULL where no
-- collector is configured.
ALTER TABLE deploy.revisions ADD COLUMN trace_parent text;
