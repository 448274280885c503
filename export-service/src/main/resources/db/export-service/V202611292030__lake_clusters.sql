-- Searches must not queue for long behind this migration; the start is repeated.
SET LOCAL lock_timeout = '5s';

-- The system identifier of the cluster that assigned the transaction ids of the snapshot: in a restored dump it is another one.
-- Null is not valid; the previous release stores no value.
ALTER TABLE lake.compactions ADD COLUMN cluster bigint;

-- The largest row that the files could contain when a day was found to be unsupported.
ALTER TABLE lake.compactions ADD COLUMN max_row_bytes bigint;

-- Find the days to compact again, of which there are few.
CREATE INDEX compactions_cluster ON lake.compactions (cluster) WHERE state IN ('compacted', 'unsupported');
CREATE INDEX compactions_unsupported ON lake.compactions (max_row_bytes) WHERE state = 'unsupported';
CREATE INDEX compactions_day ON lake.compactions (day) WHERE state IN ('compacted', 'unsupported');

-- Later transaction ids than the current one belong to another cluster.
SELECT set_config('waybill.every_workspace', 'on', true);

UPDATE lake.compactions SET cluster = (SELECT system_identifier FROM pg_control_system())
WHERE pg_snapshot_xmax(snapshot::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot());
