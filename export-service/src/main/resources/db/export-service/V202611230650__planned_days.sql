-- What the planning of a long range saw, when it left days without runs out; NULL: every day of the range has a run.
ALTER TABLE export.bulk_exports
    ADD COLUMN planned_in pg_snapshot;
