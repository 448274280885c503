-- Creates the login roles of the services. An administrator runs it once in the database `waybill`; it can be repeated. Each
-- service creates and owns its schemas through its migrations, which also grant access to other services. Passwords are set
-- separately (ALTER ROLE ... PASSWORD), so that no file contains one.
DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY ['waybill_control', 'waybill_experiment', 'waybill_export'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', service);
        END IF;
        EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO %I', current_database(), service);
    END LOOP;
    -- Other roles of the server have no access.
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;
