-- The export-service announces changes of exports in the same stream (docs/decisions/0158).
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_export') THEN
        GRANT USAGE ON SCHEMA trace TO waybill_export;
        GRANT SELECT, INSERT, UPDATE ON trace.recent_changes TO waybill_export;
    END IF;
END $$;
