-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- The same conditions without a time zone, which was looked up by name for each row: days in UTC are multiples of 24 hours. Still the
-- time of the row: it is after the transaction got its id, on which the barrier of a compaction relies.
CREATE OR REPLACE TRIGGER lake_inserts AFTER INSERT ON trace.runs FOR EACH ROW
    WHEN (NEW.start_time < date_bin('24 hours', clock_timestamp(), '2000-01-01Z'))
    EXECUTE FUNCTION trace.record_lake_change();
CREATE OR REPLACE TRIGGER lake_updates AFTER UPDATE ON trace.runs FOR EACH ROW
    WHEN (least(OLD.start_time, NEW.start_time) < date_bin('24 hours', clock_timestamp(), '2000-01-01Z'))
    EXECUTE FUNCTION trace.record_lake_change();
CREATE OR REPLACE TRIGGER lake_deletes AFTER DELETE ON trace.runs FOR EACH ROW
    WHEN (OLD.start_time < date_bin('24 hours', clock_timestamp(), '2000-01-01Z'))
    EXECUTE FUNCTION trace.record_lake_change();
