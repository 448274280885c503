-- When each phase of a revision began, and its commit as the repository describes it. NULL for revisions of earlier releases.
ALTER TABLE deploy.revisions
    ADD COLUMN building_at     timestamptz,
    ADD COLUMN deploying_at    timestamptz,
    ADD COLUMN health_check_at timestamptz,
    ADD COLUMN ended_at        timestamptz,
    ADD COLUMN commit_author   text,
    ADD COLUMN commit_message  text,
    ADD COLUMN committed_at    timestamptz;
