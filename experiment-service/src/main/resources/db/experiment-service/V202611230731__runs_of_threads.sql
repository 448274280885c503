-- The runs of a thread in the order of time. Runs without a thread cost nothing.
CREATE INDEX runs_of_threads ON trace.runs (tenant_id, session_id, thread_id, start_time, id) WHERE thread_id IS NOT NULL;
