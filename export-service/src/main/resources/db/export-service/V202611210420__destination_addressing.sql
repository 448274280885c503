-- Whether the store was found to take the bucket's name in the host only (https://bucket.host/key).
ALTER TABLE export.destinations ADD COLUMN virtual_host boolean NOT NULL DEFAULT false;
