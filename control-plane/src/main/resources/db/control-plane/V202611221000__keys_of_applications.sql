-- A deployed application has a key of its own, with which it can do nothing but trace into its workspace. A replica of the release
-- before does not know the role and answers such a key with an error, after which an application tries again.
ALTER TABLE account.api_keys DROP CONSTRAINT api_keys_role_check;
ALTER TABLE account.api_keys ADD CONSTRAINT api_keys_role_check CHECK (role IN ('admin', 'member', 'application'));

ALTER TABLE account.api_keys ADD COLUMN deployment_id uuid;
CREATE UNIQUE INDEX api_keys_of_deployments ON account.api_keys (deployment_id)
    WHERE deployment_id IS NOT NULL AND revoked_at IS NULL;

-- Sealed for this row, as its secrets are: what the platform itself gives the application in confidence. NULL until the next
-- revision of a deployment that was made before.
ALTER TABLE deploy.deployments ADD COLUMN platform_secrets bytea;
