-- The control-plane announces changes of deployments in the same stream (docs/decisions/0158).
ALTER TABLE trace.recent_changes ADD COLUMN deployment_id uuid;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_control') THEN
        GRANT USAGE ON SCHEMA trace TO waybill_control;
        GRANT SELECT, INSERT, UPDATE ON trace.recent_changes TO waybill_control;
    END IF;
END $$;
