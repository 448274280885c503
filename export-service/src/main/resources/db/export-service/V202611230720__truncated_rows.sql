-- What an export has in place of a text of a run that is larger than a row may be (docs/decisions/0130).
CREATE FUNCTION export.truncated_text(content text) RETURNS text
    LANGUAGE sql
    IMMUTABLE STRICT
AS $$
    SELECT format('{"waybill_truncated": {"bytes": %s, "sha256": "%s"}}', octet_length(content),
        encode(sha256(convert_to(content, 'UTF8')), 'hex'))
$$;

-- How many of a file's rows have such texts.
ALTER TABLE export.files ADD COLUMN truncated_rows bigint NOT NULL DEFAULT 0;
