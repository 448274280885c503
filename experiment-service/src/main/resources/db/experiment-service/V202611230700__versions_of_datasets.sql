-- When an example of the dataset was last removed: what the dataset was at an earlier time cannot be read any more.
ALTER TABLE trace.datasets ADD COLUMN examples_removed_at timestamptz;

-- The metadata that clients give a dataset, the text that came in.
ALTER TABLE trace.datasets ADD COLUMN metadata text;
