-- What an integration shows of the deliveries that it received. Those of earlier releases are pushes of an unknown ref.
ALTER TABLE deploy.deliveries
    ADD COLUMN event       text   NOT NULL DEFAULT 'push',
    ADD COLUMN ref         text,
    ADD COLUMN deployments uuid[] NOT NULL DEFAULT '{}';

CREATE INDEX deliveries_newest ON deploy.deliveries (tenant_id, integration_id, received_at DESC, delivery);
