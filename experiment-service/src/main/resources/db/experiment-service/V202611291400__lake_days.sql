-- Requests must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- Days of workspaces that the lake contains or that are being compacted (docs/lake.md).
CREATE TABLE trace.lake_days (
    tenant_id uuid NOT NULL,
    day       date NOT NULL,
    PRIMARY KEY (tenant_id, day)
);

-- Transactions that changed a day after it was added to trace.lake_days. Append-only: concurrent writers never wait for each other.
CREATE TABLE trace.lake_changes (
    tenant_id uuid NOT NULL,
    day       date NOT NULL,
    xid       xid8 NOT NULL,
    PRIMARY KEY (tenant_id, day, xid)
);

SELECT trace.secure('trace.lake_days'), trace.secure('trace.lake_changes');

-- Writers use READ COMMITTED, so each statement sees the days that were committed before it.
CREATE FUNCTION trace.record_lake_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO trace.lake_changes (tenant_id, day, xid)
        SELECT known.tenant_id, known.day, pg_current_xact_id()
        FROM trace.lake_days AS known
        WHERE known.tenant_id = OLD.tenant_id AND known.day = (OLD.start_time AT TIME ZONE 'UTC')::date
        ON CONFLICT DO NOTHING;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO trace.lake_changes (tenant_id, day, xid)
        SELECT known.tenant_id, known.day, pg_current_xact_id()
        FROM trace.lake_days AS known
        WHERE known.tenant_id = NEW.tenant_id AND known.day = (NEW.start_time AT TIME ZONE 'UTC')::date
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

-- Only days that are over are compacted, so runs of today cost a comparison. Not now(): a transaction can begin before midnight.
-- Partitions that are attached later get these triggers as well. An update that moves a run to another partition fires those of
-- DELETE and INSERT.
CREATE TRIGGER lake_inserts AFTER INSERT ON trace.runs FOR EACH ROW
    WHEN (NEW.start_time < date_trunc('day', clock_timestamp(), 'UTC')) EXECUTE FUNCTION trace.record_lake_change();
CREATE TRIGGER lake_updates AFTER UPDATE ON trace.runs FOR EACH ROW
    WHEN (least(OLD.start_time, NEW.start_time) < date_trunc('day', clock_timestamp(), 'UTC'))
    EXECUTE FUNCTION trace.record_lake_change();
CREATE TRIGGER lake_deletes AFTER DELETE ON trace.runs FOR EACH ROW
    WHEN (OLD.start_time < date_trunc('day', clock_timestamp(), 'UTC')) EXECUTE FUNCTION trace.record_lake_change();

-- The export-service compacts days.
DO $$
DECLARE
    reader text;
BEGIN
    FOREACH reader IN ARRAY string_to_array('${trace_readers}', ',') LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON trace.lake_days, trace.lake_changes TO %I', reader);
        END IF;
    END LOOP;
END $$;
