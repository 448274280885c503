-- Until then a step that failed is not repeated, whatever the engine reports of its deployment.
ALTER TABLE deploy.deployments ADD COLUMN paused_until timestamptz;
