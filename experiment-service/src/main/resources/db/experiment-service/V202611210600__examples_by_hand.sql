-- Examples that clients make themselves: the parts of the dataset they belong to, and the run they were made from.
ALTER TABLE trace.examples
    -- Null for examples that say none; they count as of `base`.
    ADD COLUMN splits text[],
    ADD COLUMN source_run_id uuid;

-- The order that examples are listed in: a client pages through all of a dataset before it evaluates.
CREATE INDEX examples_in_listed_order ON trace.examples (tenant_id, dataset_id, created_at DESC, id DESC);
