-- Headers that every object of a destination is written with; NULL: the bucket's default.
ALTER TABLE export.destinations
    ADD COLUMN acl             text,
    ADD COLUMN encryption_type text,
    ADD COLUMN kms_key_id      text;
