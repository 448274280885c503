-- Which deployments are worked on now, counted by workspace whenever one is claimed.
CREATE INDEX deployments_held ON deploy.deployments (tenant_id) WHERE lease_until IS NOT NULL;
