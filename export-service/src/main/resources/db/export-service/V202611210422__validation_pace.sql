-- How fast a workspace validates destinations: each validation keeps it busy for a while, and too far ahead it has to wait.
CREATE TABLE export.validation_pace (
    tenant_id  uuid        NOT NULL PRIMARY KEY,
    busy_until timestamptz NOT NULL
);

-- The second lock behind the tenant_id condition of every statement.
ALTER TABLE export.validation_pace ENABLE ROW LEVEL SECURITY;
ALTER TABLE export.validation_pace FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON export.validation_pace USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));
