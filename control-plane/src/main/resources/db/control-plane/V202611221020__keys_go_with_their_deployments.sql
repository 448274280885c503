-- A key is revoked when its deployment is deleted, and gone when that is: also when a replica of the release before, which knows
-- of no such keys, removes it.
CREATE INDEX api_keys_by_deployment ON account.api_keys (workspace_id, deployment_id) WHERE deployment_id IS NOT NULL;
ALTER TABLE account.api_keys ADD FOREIGN KEY (workspace_id, deployment_id)
    REFERENCES deploy.deployments (tenant_id, id) ON DELETE CASCADE;
