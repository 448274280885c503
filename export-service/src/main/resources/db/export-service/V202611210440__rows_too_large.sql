-- What the reading of runs calls for a row that is larger than an export may hold: the row is then never sent.
CREATE FUNCTION export.row_too_large(run_id uuid, bytes bigint) RETURNS boolean
    LANGUAGE plpgsql
    STABLE
AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'WB001',
        MESSAGE = format('The run %s has %s bytes of text, which is more than a row of an export may have.', run_id, bytes);
END $$;
