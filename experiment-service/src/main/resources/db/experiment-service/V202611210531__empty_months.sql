-- Drops the partitions of months that ended before and have not one page, so not one row of anybody's; answers how many. It needs
-- the whole table for a moment: when somebody has it, an export for example, it is for another time. Runs of such a month make
-- the partition anew.
CREATE FUNCTION trace.drop_empty_runs_partitions(before timestamptz) RETURNS integer LANGUAGE plpgsql
    SET search_path = pg_catalog SET lock_timeout = '100ms' AS $$
DECLARE
    partition regclass;
    dropped   integer := 0;
BEGIN
    FOR partition IN
        SELECT c.oid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'trace.runs'::regclass AND c.relname ~ '^runs_\d{4}_\d{2}$' AND pg_relation_size(c.oid) = 0
            AND (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= before
    LOOP
        LOCK TABLE ONLY trace.runs IN ACCESS EXCLUSIVE MODE;
        -- Again, now that nobody writes.
        IF pg_relation_size(partition) = 0 THEN
            EXECUTE format('DROP TABLE %s', partition);
            dropped := dropped + 1;
        END IF;
    END LOOP;
    RETURN dropped;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN 0;
END $$;

REVOKE EXECUTE ON FUNCTION trace.drop_empty_runs_partitions FROM PUBLIC;
