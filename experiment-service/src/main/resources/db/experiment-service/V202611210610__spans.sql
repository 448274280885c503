-- Which spans of which traces came over OTLP (docs/decisions/0028): a span tells only what is directly above it, and that usually
-- comes later. Rows are narrow and kept for days, not for as long as their runs.
CREATE TABLE trace.spans (
    tenant_id   uuid        NOT NULL,
    trace_id    uuid        NOT NULL,
    -- Made of the trace's and the span's own id; also the id of the run, unless it is the root's, whose id is the trace's.
    id          uuid        NOT NULL,
    parent_id   uuid,
    start_time  timestamptz NOT NULL,
    root        boolean     NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, trace_id, id)
);

-- What waits for a span that has just come.
CREATE INDEX spans_below ON trace.spans (tenant_id, trace_id, parent_id) WHERE parent_id IS NOT NULL;
-- A trace has one root.
CREATE UNIQUE INDEX root_spans ON trace.spans (tenant_id, trace_id) WHERE root;
-- The sweep; rows come in the order of time, so a summary of each piece of the table does.
CREATE INDEX spans_by_arrival ON trace.spans USING brin (received_at);

ALTER TABLE trace.spans ENABLE ROW LEVEL SECURITY;
ALTER TABLE trace.spans FORCE ROW LEVEL SECURITY;
CREATE POLICY one_workspace ON trace.spans USING (
    tenant_id = (SELECT nullif(current_setting('waybill.tenant_id', true), '')::uuid)
    OR (SELECT coalesce(current_setting('waybill.every_workspace', true), '') = 'on'));
