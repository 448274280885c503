-- Creates the login roles of the services and the functions that create the roles of deployed applications. An administrator
-- runs it once in the database `waybill`, and again after an upgrade; it can be repeated. Each service creates and owns its
-- schemas through its migrations, which also grant access to other services. Passwords are set separately
-- (ALTER ROLE ... PASSWORD), so that no file contains one.
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
    -- Databases that PostgreSQL 14 created let every role create functions in this schema, which can replace those of others.
    IF EXISTS (SELECT FROM pg_namespace, aclexplode(nspacl)
            WHERE nspname = 'public' AND grantee = 0 AND privilege_type = 'CREATE') THEN
        IF (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'public') THEN
            REVOKE CREATE ON SCHEMA public FROM PUBLIC;
        ELSE
            RAISE NOTICE 'the owner of the schema public must execute: REVOKE CREATE ON SCHEMA public FROM PUBLIC';
        END IF;
    END IF;
END $$;

-- Deployed applications that store threads (docs/decisions/0175). Their code can read the password of their role, so the role
-- has rights on the schema `runtime` only, where row level security shows it the rows of its deployment. waybill_control
-- creates, changes and drops these roles through three functions; it has no right to create others.
DO $$
DECLARE
    shared record;
BEGIN
    IF current_setting('server_version_num')::int < 160000 THEN
        RAISE NOTICE 'deployed applications store threads with PostgreSQL 16 or newer only';
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_application') THEN
        CREATE ROLE waybill_application NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_application_admin') THEN
        CREATE ROLE waybill_application_admin NOLOGIN CREATEROLE;
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO waybill_application', current_database());
    EXECUTE 'GRANT waybill_application TO waybill_application_admin WITH ADMIN TRUE, INHERIT FALSE, SET FALSE';
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        EXECUTE 'GRANT waybill_application_admin TO CURRENT_USER WITH SET TRUE';
    END IF;
    CREATE SCHEMA IF NOT EXISTS waybill_roles AUTHORIZATION waybill_application_admin;
    -- An application must not hold the locks of the services, nor store large objects. Only a superuser can change this.
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        FOR shared IN SELECT oid::regprocedure AS signature FROM pg_proc
                WHERE pronamespace = 'pg_catalog'::regnamespace
                    AND (proname ~ '^pg_(try_)?advisory_' OR proname IN ('lo_creat', 'lo_create', 'lo_from_bytea')) LOOP
            EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', shared.signature);
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO waybill_control, waybill_experiment, waybill_export',
                shared.signature);
        END LOOP;
    END IF;

    SET LOCAL ROLE waybill_application_admin;
    CREATE OR REPLACE FUNCTION waybill_roles.create_application_role(deployment uuid, verifier text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
    DECLARE
        application text := 'waybill_app_' || deployment;
    BEGIN
        -- A plain password could be written to the server's log.
        IF verifier IS NULL OR verifier !~ '^SCRAM-SHA-256\$[0-9]+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' THEN
            RAISE EXCEPTION 'the password must be a SCRAM verifier' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
            EXECUTE format('CREATE ROLE %I LOGIN CONNECTION LIMIT 40 IN ROLE waybill_application', application);
            EXECUTE format('ALTER ROLE %I SET statement_timeout = ''30s''', application);
            EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''10s''', application);
        END IF;
        EXECUTE format('ALTER ROLE %I PASSWORD %L', application, verifier);
    END $function$;
    CREATE OR REPLACE FUNCTION waybill_roles.raise_connection_limit(deployment uuid, connections integer) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
    DECLARE
        application text := 'waybill_app_' || deployment;
        -- One deployment must not exhaust the server.
        raised integer := least(connections, current_setting('max_connections')::integer / 2);
    BEGIN
        -- Replicas of the revision before may still run, so the limit is not lowered.
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = application AND rolconnlimit BETWEEN 0 AND raised - 1) THEN
            EXECUTE format('ALTER ROLE %I CONNECTION LIMIT %s', application, raised);
        END IF;
    END $function$;
    CREATE OR REPLACE FUNCTION waybill_roles.drop_application_role(deployment uuid) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
    DECLARE
        application text := 'waybill_app_' || deployment;
    BEGIN
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
            EXECUTE format('DROP ROLE %I', application);
        END IF;
    EXCEPTION
        -- The application has created an object. Without a login the role has no effect.
        WHEN dependent_objects_still_exist THEN
            EXECUTE format('ALTER ROLE %I NOLOGIN PASSWORD NULL', application);
    END $function$;
    REVOKE ALL ON FUNCTION waybill_roles.create_application_role(uuid, text),
        waybill_roles.raise_connection_limit(uuid, integer), waybill_roles.drop_application_role(uuid) FROM PUBLIC;
    GRANT USAGE ON SCHEMA waybill_roles TO waybill_control;
    GRANT EXECUTE ON FUNCTION waybill_roles.create_application_role(uuid, text),
        waybill_roles.raise_connection_limit(uuid, integer), waybill_roles.drop_application_role(uuid) TO waybill_control;
    RESET ROLE;
END $$;
