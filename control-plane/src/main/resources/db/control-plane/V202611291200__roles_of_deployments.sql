-- Each deployment has a database role, which sees the rows of its deployment only (docs/decisions/0175). Its name is the
-- identity: a session cannot change it, other than a setting.
CREATE FUNCTION runtime.current_deployment() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN substring(current_user::text FROM '^waybill_app_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid;

-- Gives the roles of deployments access to the tables of this schema. It is called by this migration, by each later one that
-- adds a table, and before the first role is created, because roles.sql may be run after the migrations.
CREATE FUNCTION runtime.allow_applications() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    secured text;
    group_exists boolean := EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_application');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('runtime.allow_applications', 0::bigint));
    FOR secured IN SELECT tablename FROM pg_tables WHERE schemaname = 'runtime' LOOP
        IF NOT EXISTS (SELECT FROM pg_policies
                WHERE schemaname = 'runtime' AND tablename = secured AND policyname = 'own_deployment') THEN
            EXECUTE format('CREATE POLICY own_deployment ON runtime.%I '
                'USING (deployment_id = (SELECT runtime.current_deployment()))', secured);
        END IF;
        IF group_exists AND NOT has_table_privilege('waybill_application', format('runtime.%I', secured), 'DELETE') THEN
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON runtime.%I TO waybill_application', secured);
        END IF;
    END LOOP;
    IF group_exists AND NOT has_schema_privilege('waybill_application', 'runtime', 'USAGE') THEN
        GRANT USAGE ON SCHEMA runtime TO waybill_application;
    END IF;
END $$;

SELECT runtime.allow_applications();

-- Deletes at most so many rows of each table; returns the number of all.
CREATE FUNCTION runtime.delete_rows(tenant uuid, deployment uuid, max_rows int) RETURNS bigint LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    secured text;
    deleted bigint;
    total bigint := 0;
BEGIN
    FOR secured IN SELECT tablename FROM pg_tables WHERE schemaname = 'runtime' LOOP
        EXECUTE format('DELETE FROM runtime.%1$I WHERE ctid = ANY(ARRAY(SELECT ctid FROM runtime.%1$I '
            'WHERE (tenant_id, deployment_id) = ($1, $2) LIMIT $3))', secured) USING tenant, deployment, max_rows;
        GET DIAGNOSTICS deleted = ROW_COUNT;
        total := total + deleted;
    END LOOP;
    RETURN total;
END $$;

-- Contracts: nothing that an earlier release uses, because both functions are new.
REVOKE EXECUTE ON FUNCTION runtime.allow_applications(), runtime.delete_rows(uuid, uuid, int) FROM PUBLIC;
