-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Names of the deployment's platform secrets that the revision has; NULL: all. Secrets that a later revision adds must not
-- change the pods of the active one.
ALTER TABLE deploy.revisions ADD COLUMN platform_variables text[];
