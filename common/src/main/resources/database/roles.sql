-- The login roles of the services, run once by an administrator inside the database `waybill` and safe to repeat. Each service
-- makes and owns its schemas by its own migrations; what it lets the others read, it grants there. Passwords are set apart
-- (ALTER ROLE ... PASSWORD), so that none stands in a file.
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
    -- Nobody else gets in, whatever other roles the server has.
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;
