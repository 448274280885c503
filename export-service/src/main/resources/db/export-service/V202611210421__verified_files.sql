-- Whether a file's size was compared with what the bucket holds. NULL: it is not visible yet, or became so before this was noted.
ALTER TABLE export.files ADD COLUMN verified boolean;
