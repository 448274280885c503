-- Runs by the month they started in (docs/decisions/0023), and where each run is. Rows that are there are moved.
SET LOCAL waybill.every_workspace = 'on';

ALTER TABLE trace.runs RENAME TO runs_in_one_table;
ALTER INDEX trace.runs_pkey RENAME TO runs_in_one_table_pkey;
ALTER INDEX trace.runs_in_reading_order RENAME TO runs_in_one_table_in_reading_order;
ALTER INDEX trace.runs_that_came_late RENAME TO runs_in_one_table_that_came_late;

-- The primary key is the export's reading order: an export costs what its own rows cost, whatever else is in the table.
CREATE TABLE trace.runs (
    LIKE trace.runs_in_one_table INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION,
    PRIMARY KEY (tenant_id, session_id, start_time, id)
) PARTITION BY RANGE (start_time);

-- Few runs arrive long after they started, so this costs the others nothing. Exports count in it what came too late for them.
CREATE INDEX runs_that_came_late ON trace.runs (tenant_id, session_id, received_at)
    WHERE received_at - start_time > interval '1 minute';

-- A key of a partitioned table must hold what it is partitioned by, so this one holds that an id is given once. Who writes or
-- deletes a run writes or deletes its place in the same transaction, and first: so two who write the same run wait here.
CREATE TABLE trace.run_places (
    tenant_id  uuid        NOT NULL,
    id         uuid        NOT NULL,
    session_id uuid        NOT NULL,
    start_time timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE FUNCTION trace.secure(secured regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY one_workspace ON %s USING ('
        'tenant_id = (SELECT nullif(current_setting(''waybill.tenant_id'', true), '''')::uuid) '
        'OR (SELECT coalesce(current_setting(''waybill.every_workspace'', true), '''') = ''on''))', secured);
END $$;

-- Made beside the table and then attached: neither readers nor writers wait for that, nor it for them, however long their
-- transactions are. Attaching it makes its indexes. Nobody has rights on a partition itself. Settings: docs/operations.md "The
-- table of runs".
CREATE FUNCTION trace.attach_runs_partition(partition text, since text, until text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE trace.%I (LIKE trace.runs INCLUDING ALL EXCLUDING INDEXES) WITH ('
        'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05, '
        'autovacuum_analyze_scale_factor = 0.02)', partition);
    PERFORM trace.secure(format('trace.%I', partition)::regclass);
    EXECUTE format('ALTER TABLE trace.runs ATTACH PARTITION trace.%I FOR VALUES FROM (%s) TO (%s)', partition, since, until);
END $$;

-- Makes the partition of the month, unless there is one. Outside the years of months there always is one, so that no client,
-- whatever times it sends, makes more than their number. Any number of callers may ask at once. Whoever asks, the partition
-- belongs to the owner of the table.
CREATE FUNCTION trace.make_runs_partition(start_time timestamptz) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    since     timestamp := date_trunc('month', start_time AT TIME ZONE 'UTC');
    partition text      := 'runs_' || to_char(since, 'YYYY_MM');
    bound     text      := 'YYYY-MM-DD"T00:00:00Z"';
BEGIN
    IF start_time < '2022-01-01T00:00:00Z' OR start_time >= '2036-01-01T00:00:00Z' THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('partitions of trace.runs', 0));
    -- A query of its own, after the wait: it sees what others made meanwhile.
    IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'trace'::regnamespace AND relname = partition) THEN
        RETURN false;
    END IF;
    PERFORM trace.attach_runs_partition(partition, quote_literal(to_char(since, bound)),
        quote_literal(to_char(since + interval '1 month', bound)));
    RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION trace.secure, trace.attach_runs_partition, trace.make_runs_partition FROM PUBLIC;

DO $$
DECLARE
    month timestamptz;
BEGIN
    PERFORM trace.secure('trace.runs');
    PERFORM trace.secure('trace.run_places');
    PERFORM trace.attach_runs_partition('runs_before_2022', 'MINVALUE', quote_literal('2022-01-01T00:00:00Z'));
    PERFORM trace.attach_runs_partition('runs_from_2036', quote_literal('2036-01-01T00:00:00Z'), 'MAXVALUE');
    FOR month IN SELECT DISTINCT date_trunc('month', start_time, 'UTC') FROM trace.runs_in_one_table LOOP
        PERFORM trace.make_runs_partition(month);
    END LOOP;
END $$;

INSERT INTO trace.run_places (tenant_id, id, session_id, start_time)
SELECT tenant_id, id, session_id, start_time FROM trace.runs_in_one_table;
INSERT INTO trace.runs SELECT * FROM trace.runs_in_one_table;
DROP TABLE trace.runs_in_one_table;

-- The table is another one: who may read it has to be said again.
DO $$
DECLARE
    reader text;
BEGIN
    FOREACH reader IN ARRAY string_to_array('${trace_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN
            EXECUTE format('GRANT SELECT ON trace.runs TO %I', reader);
        END IF;
    END LOOP;
END $$;
