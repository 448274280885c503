-- A push names its integration in its address, and no workspace.
CREATE UNIQUE INDEX integrations_by_id ON deploy.integrations (id);
