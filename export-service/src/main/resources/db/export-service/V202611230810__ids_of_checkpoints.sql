-- The ids of all rows of a file, combined by exclusive or: with their number they tell whether all are still there.
ALTER TABLE export.checkpoints ADD COLUMN row_ids uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE export.files ADD COLUMN row_ids uuid;
