-- The thread (conversation) of a run: the first of session_id, thread_id and conversation_id in its metadata that is a text of 1 to
-- 500 characters or a number. Set by the database, so that it holds whoever writes the run, the release before included.
ALTER TABLE trace.runs ADD COLUMN thread_id text;

-- What PostgreSQL cannot read has no thread; it never fails the run's own statement. Escapes that no text can hold are replaced as
-- everywhere.
CREATE FUNCTION trace.thread_id(metadata text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    document json;
    member   text;
    id       text;
BEGIN
    document := (CASE WHEN strpos(metadata, '\u0000') + strpos(metadata, '\ud') + strpos(metadata, '\uD') > 0
        THEN replace(regexp_replace(regexp_replace(replace(replace(metadata, '\\', chr(1)), '\u0000', '\ufffd'), '\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})', '\ufffd', 'g'), '(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}', '\ufffd', 'g'), chr(1), '\\')
        ELSE metadata END)::json;
    FOREACH member IN ARRAY ARRAY ['session_id', 'thread_id', 'conversation_id'] LOOP
        IF json_typeof(document -> member) IN ('string', 'number') THEN
            id := document ->> member;
            IF length(id) BETWEEN 1 AND 500 THEN
                RETURN id;
            END IF;
        END IF;
    END LOOP;
    RETURN NULL;
EXCEPTION
    WHEN OTHERS THEN
        RETURN NULL;
END $$;

CREATE FUNCTION trace.set_thread_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.thread_id := trace.thread_id(NEW.metadata);
    RETURN NEW;
END $$;

-- Most runs have none, and for these the condition is all it costs.
CREATE TRIGGER thread_of_new_run BEFORE INSERT ON trace.runs FOR EACH ROW
    WHEN (strpos(NEW.metadata, 'session_id"') + strpos(NEW.metadata, 'thread_id"') + strpos(NEW.metadata, 'conversation_id"') > 0)
    EXECUTE FUNCTION trace.set_thread_id();
CREATE TRIGGER thread_of_changed_run BEFORE UPDATE OF metadata ON trace.runs FOR EACH ROW
    WHEN (NEW.metadata IS DISTINCT FROM OLD.metadata)
    EXECUTE FUNCTION trace.set_thread_id();
