-- After the migration of the triggers, whose locks are not held while this reads all hours. Days that change meanwhile are listed
-- by the triggers.
SET LOCAL waybill.every_workspace = 'on';

INSERT INTO trace.run_summary_days (tenant_id, session_id, day)
SELECT DISTINCT tenant_id, session_id, date_trunc('day', hour, 'UTC') FROM trace.run_summaries
ON CONFLICT DO NOTHING;
