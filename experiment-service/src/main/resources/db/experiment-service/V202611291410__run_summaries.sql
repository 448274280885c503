-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Hourly summaries of the runs of each session (docs/decisions/0180). A summary depends on the runs that started in its hour only.
-- It is valid unless there is a change of its hour. The figures of other runs are aggregated from trace.runs.
CREATE TABLE trace.run_summaries (
    tenant_id        uuid        NOT NULL,
    session_id       uuid        NOT NULL,
    hour             timestamptz NOT NULL,
    runs             bigint      NOT NULL,
    errors           bigint      NOT NULL,
    streamed         bigint      NOT NULL,
    last_start       timestamptz NOT NULL,
    root_runs        bigint      NOT NULL,
    root_errors      bigint      NOT NULL,
    root_streamed    bigint      NOT NULL,
    last_root_start  timestamptz,
    -- Sums of total, prompt and completion tokens and costs, without runs that have a descendant with usage in the hour, and the
    -- numbers of values in them; root_usage contains all root runs.
    usage            numeric[]   NOT NULL,
    usage_counts     bigint[]    NOT NULL,
    root_usage       numeric[]   NOT NULL,
    -- Distributions in seconds: pairs of a value (float8) and a number of runs (int4), of runs below roots and of root runs.
    latency          bytea,
    first_token      bytea,
    root_latency     bytea,
    root_first_token bytea,
    -- Ancestors of runs with usage that did not start in the hour: id, 1 for tokens plus 2 for costs. Null if there are too many.
    ancestors        bytea,
    -- Runs that had not ended with the hour: with usage in the sums (id, six values, costs in 10^-9), and ids of others.
    open_runs        bytea,
    other_open_runs  bytea,
    PRIMARY KEY (tenant_id, session_id, hour)
);

-- Hours in which a transaction changed a run after they had ended. Writers never wait for each other. Recorded by the database, so
-- that it holds for every replica and release.
CREATE TABLE trace.run_summary_changes (
    tenant_id      uuid        NOT NULL,
    session_id     uuid        NOT NULL,
    hour           timestamptz NOT NULL,
    transaction_id xid8        NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (tenant_id, session_id, hour, transaction_id)
);

-- All hours before `until` with runs were found; those with later changes are in trace.run_summary_changes.
CREATE TABLE trace.run_summary_progress (
    tenant_id  uuid        NOT NULL,
    session_id uuid        NOT NULL,
    until      timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, session_id)
);

DO $$
BEGIN
    PERFORM trace.secure('trace.run_summaries');
    PERFORM trace.secure('trace.run_summary_changes');
    PERFORM trace.secure('trace.run_summary_progress');
END $$;

CREATE FUNCTION trace.record_summary_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO trace.run_summary_changes (tenant_id, session_id, hour)
        VALUES (OLD.tenant_id, OLD.session_id, date_trunc('hour', OLD.start_time, 'UTC')) ON CONFLICT DO NOTHING;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO trace.run_summary_changes (tenant_id, session_id, hour)
        VALUES (NEW.tenant_id, NEW.session_id, date_trunc('hour', NEW.start_time, 'UTC')) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

-- The time of the row, not of the transaction: it is after the transaction got its id, which the summarizer relies on.
CREATE TRIGGER summary_of_new_run AFTER INSERT ON trace.runs FOR EACH ROW
    WHEN (NEW.start_time < date_bin('1 hour', clock_timestamp(), '2000-01-01Z'))
    EXECUTE FUNCTION trace.record_summary_change();
CREATE TRIGGER summary_of_changed_run AFTER UPDATE ON trace.runs FOR EACH ROW
    WHEN (least(OLD.start_time, NEW.start_time) < date_bin('1 hour', clock_timestamp(), '2000-01-01Z')
        AND (OLD.session_id, OLD.start_time, OLD.end_time, OLD.first_token_time, OLD.status, OLD.parent_run_id, OLD.parent_run_ids,
            OLD.total_tokens, OLD.prompt_tokens, OLD.completion_tokens, OLD.total_cost, OLD.prompt_cost, OLD.completion_cost)
        IS DISTINCT FROM
            (NEW.session_id, NEW.start_time, NEW.end_time, NEW.first_token_time, NEW.status, NEW.parent_run_id, NEW.parent_run_ids,
            NEW.total_tokens, NEW.prompt_tokens, NEW.completion_tokens, NEW.total_cost, NEW.prompt_cost, NEW.completion_cost))
    EXECUTE FUNCTION trace.record_summary_change();
CREATE TRIGGER summary_of_removed_run AFTER DELETE ON trace.runs FOR EACH ROW
    WHEN (OLD.start_time < date_bin('1 hour', clock_timestamp(), '2000-01-01Z'))
    EXECUTE FUNCTION trace.record_summary_change();
