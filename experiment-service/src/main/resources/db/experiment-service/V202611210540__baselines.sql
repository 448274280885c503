-- What comparisons of a dataset's experiments are made against unless they say otherwise.
ALTER TABLE trace.datasets
    ADD COLUMN baseline_experiment_id uuid,
    -- A JSON object: feedback key to true or false.
    ADD COLUMN higher_is_better text;

-- The runs of an example in an experiment: pages and files of comparisons go along it. Traces have no examples, so it costs
-- them nothing.
CREATE INDEX runs_of_examples ON trace.runs (tenant_id, session_id, reference_example_id)
    WHERE reference_example_id IS NOT NULL;
