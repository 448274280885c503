-- Scheduled exports (interface.md 4.2 rule 6) are rows beside those they make. The end of theirs is that of the next window:
-- it is not shown, but a replica of the version before reads the column.
ALTER TABLE export.bulk_exports
    ADD COLUMN interval_hours int CHECK (interval_hours BETWEEN 1 AND 168),
    -- The window that comes next, counting from 1.
    ADD COLUMN next_window    bigint CHECK (next_window >= 1),
    ADD COLUMN paused_at      timestamptz,
    ADD COLUMN pause_reason   text,
    -- Failures of windows before this one do not count any more.
    ADD COLUMN proven_from    bigint NOT NULL DEFAULT 1,
    -- On an export that a schedule made for one of its windows; NULL on a backfill.
    ADD COLUMN window_number  bigint CHECK (window_number >= 1),
    -- Why it failed: a run's last error, or what the manifest met.
    ADD COLUMN failure_code    text,
    ADD COLUMN failure_message text,
    -- Rows of its range that were stored after it had read the range.
    ADD COLUMN late_rows      bigint NOT NULL DEFAULT 0,
    ADD COLUMN late_checked_at timestamptz,
    DROP CONSTRAINT bulk_exports_status_check,
    DROP CONSTRAINT bulk_exports_check1,
    DROP CONSTRAINT bulk_exports_check2,
    ADD CONSTRAINT bulk_exports_status_known CHECK (status IN
        ('Created', 'Running', 'Completed', 'Failed', 'TimedOut', 'Cancelled', 'IntervalScheduled')),
    ADD CONSTRAINT bulk_exports_finished CHECK
        ((finished_at IS NULL) = (status IN ('Created', 'Running', 'IntervalScheduled'))),
    ADD CONSTRAINT bulk_exports_started CHECK
        (started_at IS NOT NULL OR status IN ('Created', 'Cancelled', 'IntervalScheduled')),
    ADD CONSTRAINT bulk_exports_schedule CHECK ((interval_hours IS NULL) = (next_window IS NULL)),
    ADD CONSTRAINT bulk_exports_scheduled CHECK
        (status = 'Cancelled' OR (status = 'IntervalScheduled') = (interval_hours IS NOT NULL)),
    ADD CONSTRAINT bulk_exports_window CHECK (window_number IS NULL OR source_bulk_export_id IS NOT NULL),
    ADD CONSTRAINT bulk_exports_pause CHECK ((paused_at IS NULL) = (pause_reason IS NULL));

-- Once a window, whoever makes it.
CREATE UNIQUE INDEX bulk_exports_windows ON export.bulk_exports (tenant_id, source_bulk_export_id, window_number)
    WHERE window_number IS NOT NULL;
CREATE INDEX bulk_exports_windows_unfinished ON export.bulk_exports (tenant_id, source_bulk_export_id)
    WHERE window_number IS NOT NULL AND status IN ('Created', 'Running');
CREATE INDEX bulk_exports_next_due ON export.bulk_exports (end_time, id)
    WHERE status = 'IntervalScheduled' AND paused_at IS NULL;
CREATE INDEX bulk_exports_to_reconcile ON export.bulk_exports (finished_at)
    WHERE source_bulk_export_id IS NOT NULL AND status = 'Completed';

-- A schedule that is alive needs its destination too.
DROP INDEX export.bulk_exports_by_destination;
CREATE INDEX bulk_exports_by_destination ON export.bulk_exports (tenant_id, destination_id)
    WHERE status IN ('Created', 'Running', 'IntervalScheduled');

-- What the day's reading saw: runs stored by other transactions are not in its files.
ALTER TABLE export.runs
    ADD COLUMN snapshot    pg_snapshot,
    ADD COLUMN snapshot_at timestamptz;
