-- Work goes round by workspace and by export (docs/decisions/0018): who was served longest ago comes first. A replica of the
-- version before does not note it and goes round by day; both may hand out work at the same time.
ALTER TABLE export.bulk_exports ADD COLUMN served_at timestamptz;

CREATE INDEX bulk_exports_running ON export.bulk_exports (tenant_id, id) WHERE status = 'Running';
CREATE INDEX bulk_exports_served ON export.bulk_exports (tenant_id, served_at) WHERE served_at IS NOT NULL;

-- The days of one export in order; with it the two older ones are not needed.
CREATE INDEX runs_due ON export.runs (tenant_id, export_id, position) WHERE state IN ('Created', 'Running', 'Committing');
DROP INDEX export.runs_in_turn;
DROP INDEX export.runs_unfinished;
