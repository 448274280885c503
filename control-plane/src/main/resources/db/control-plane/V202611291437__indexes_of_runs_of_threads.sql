-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Every checkpoint, value and write updated an index that only the deletion of a run used. A deletion reads the rows of the
-- thread instead, which the primary keys begin with.
DROP INDEX runtime.checkpoints_of_run;
DROP INDEX runtime.blobs_of_run;
DROP INDEX runtime.writes_of_run;
