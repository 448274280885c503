-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Summaries of the runs of each session that started in a UTC day, merged from those of its hours (docs/decisions/0193). A summary
-- is valid unless there is a change of an hour of its day; a transaction that removes such a change also deletes the summary.
CREATE TABLE trace.run_daily_summaries (
    tenant_id        uuid        NOT NULL,
    session_id       uuid        NOT NULL,
    day              timestamptz NOT NULL,
    runs             bigint      NOT NULL,
    errors           bigint      NOT NULL,
    streamed         bigint      NOT NULL,
    last_start       timestamptz NOT NULL,
    root_runs        bigint      NOT NULL,
    root_errors      bigint      NOT NULL,
    root_streamed    bigint      NOT NULL,
    last_root_start  timestamptz,
    usage            numeric[]   NOT NULL,
    usage_counts     bigint[]    NOT NULL,
    root_usage       numeric[]   NOT NULL,
    latency          bytea,
    first_token      bytea,
    root_latency     bytea,
    root_first_token bytea,
    ancestors        bytea       NOT NULL,
    open_runs        bytea,
    other_open_runs  bytea,
    PRIMARY KEY (tenant_id, session_id, day)
);

-- Days whose hours were summarized or changed since the day was.
CREATE TABLE trace.run_summary_days (
    tenant_id  uuid        NOT NULL,
    session_id uuid        NOT NULL,
    day        timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, session_id, day)
);

DO $$
BEGIN
    PERFORM trace.secure('trace.run_daily_summaries');
    PERFORM trace.secure('trace.run_summary_days');
END $$;

-- In the transaction that changes the hours, by the database: also replicas of older releases invalidate days. A statement for each
-- day uses the primary key, whatever the settings of the transaction.
CREATE FUNCTION trace.record_summary_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed record;
BEGIN
    FOR changed IN SELECT DISTINCT tenant_id, session_id, date_trunc('day', hour, 'UTC') AS day FROM changed_hours LOOP
        DELETE FROM trace.run_daily_summaries
        WHERE tenant_id = changed.tenant_id AND session_id = changed.session_id AND day = changed.day;
        INSERT INTO trace.run_summary_days (tenant_id, session_id, day)
        VALUES (changed.tenant_id, changed.session_id, changed.day) ON CONFLICT DO NOTHING;
    END LOOP;
    RETURN NULL;
END $$;

CREATE TRIGGER days_of_new_summaries AFTER INSERT ON trace.run_summaries
    REFERENCING NEW TABLE AS changed_hours FOR EACH STATEMENT EXECUTE FUNCTION trace.record_summary_days();
CREATE TRIGGER days_of_removed_summaries AFTER DELETE ON trace.run_summaries
    REFERENCING OLD TABLE AS changed_hours FOR EACH STATEMENT EXECUTE FUNCTION trace.record_summary_days();
CREATE TRIGGER days_of_removed_changes AFTER DELETE ON trace.run_summary_changes
    REFERENCING OLD TABLE AS changed_hours FOR EACH STATEMENT EXECUTE FUNCTION trace.record_summary_days();
