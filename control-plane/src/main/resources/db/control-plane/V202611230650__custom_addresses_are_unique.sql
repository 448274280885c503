-- What of a deployment's custom_url no two may share, of whatever workspace. Of those that shared one before, the oldest has it.
ALTER TABLE deploy.deployments ADD COLUMN custom_address text;
CREATE UNIQUE INDEX deployments_custom_address ON deploy.deployments (custom_address)
    WHERE custom_address IS NOT NULL AND deleted_at IS NULL;

SELECT set_config('waybill.every_workspace', 'on', true);
UPDATE deploy.deployments AS d SET custom_address = oldest.address
FROM (SELECT DISTINCT ON (address) tenant_id, id, address
    FROM (SELECT tenant_id, id, created_at,
            regexp_replace(regexp_replace(lower(source_config ->> 'custom_url'), '^https?://([^/:]+)(:[0-9]+)?', '\1'), '/+$', '')
                AS address
        FROM deploy.deployments
        WHERE deleted_at IS NULL AND source_config ->> 'custom_url' IS NOT NULL) AS custom
    ORDER BY address, created_at, id) AS oldest
WHERE d.tenant_id = oldest.tenant_id AND d.id = oldest.id;
SELECT set_config('waybill.every_workspace', '', true);
