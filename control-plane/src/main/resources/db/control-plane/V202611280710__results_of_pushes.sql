-- What an integration shows of the pushes that it received. Those of earlier releases have an unknown ref.
ALTER TABLE deploy.deliveries
    ADD COLUMN ref         text,
    ADD COLUMN deployments uuid[] NOT NULL DEFAULT '{}';

CREATE INDEX deliveries_newest ON deploy.deliveries (tenant_id, integration_id, received_at DESC, delivery);
