-- Questions for the runs of one trace, and filters on the other runs of it.
CREATE INDEX runs_of_traces ON trace.runs (tenant_id, trace_id);

-- The runs of an example wherever they are. Only runs of experiments have one, so this costs the others nothing.
CREATE INDEX runs_by_example ON trace.runs (tenant_id, reference_example_id) WHERE reference_example_id IS NOT NULL;
