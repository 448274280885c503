-- The order of compared rows: read without the table where its pages are all-visible. Only runs of experiments have an example.
CREATE INDEX root_runs_of_examples ON trace.runs (tenant_id, session_id, reference_example_id) INCLUDE (id)
    WHERE reference_example_id IS NOT NULL AND parent_run_id IS NULL;
