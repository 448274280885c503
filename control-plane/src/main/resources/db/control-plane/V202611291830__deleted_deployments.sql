-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Deployments whose rows were deleted. Replicas of the previous release do not drop the database role of a deployment that they
-- delete, nor its threads; control-plane removes them periodically (docs/decisions/0175).
CREATE TABLE deploy.deleted_deployments (
    tenant_id     uuid        NOT NULL,
    deployment_id uuid        NOT NULL,
    deleted_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant_id, deployment_id)
);

ALTER TABLE deploy.deleted_deployments ENABLE ROW LEVEL SECURITY;
ALTER TABLE deploy.deleted_deployments FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON deploy.deleted_deployments USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));

CREATE FUNCTION deploy.record_deletion() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO deploy.deleted_deployments (tenant_id, deployment_id) VALUES (OLD.tenant_id, OLD.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER record_deletion AFTER DELETE ON deploy.deployments
    FOR EACH ROW EXECUTE FUNCTION deploy.record_deletion();
