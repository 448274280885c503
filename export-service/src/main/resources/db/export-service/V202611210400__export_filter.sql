-- What narrows an export's runs, as it was written (contract.md "Bulk export", Filter). NULL: all runs of the range.
ALTER TABLE export.bulk_exports ADD COLUMN filter text;
