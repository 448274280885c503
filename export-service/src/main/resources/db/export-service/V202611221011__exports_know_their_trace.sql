-- The place in a trace (W3C traceparent) of the request that ordered the export, for whoever works on it later; NULL where no
-- collector is configured, and of what a schedule made.
ALTER TABLE export.bulk_exports ADD COLUMN trace_parent text;
