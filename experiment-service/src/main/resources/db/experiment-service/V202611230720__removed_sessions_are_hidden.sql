-- The export-service leaves out the runs of removed sessions, which are deleted in the background.
DO $$
DECLARE
    reader text;
BEGIN
    FOREACH reader IN ARRAY string_to_array('${trace_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN
            EXECUTE format('GRANT SELECT ON trace.session_removals TO %I', reader);
        END IF;
    END LOOP;
END $$;
