-- What changed in experiments, for the entity tags of comparisons (docs/decisions/0157). Each transaction that writes a root run,
-- feedback or an example adds a row with a new id for what it changed. The ids that are visible identify a state: no earlier state
-- had all of them. Writers never wait for each other. Recorded by the database, so that it holds for every replica and release.
CREATE TABLE trace.experiment_changes (
    tenant_id     uuid NOT NULL,
    -- A session with a dataset; 00000000-... for feedback whose run is unknown; ffffffff-... for examples.
    experiment_id uuid NOT NULL,
    change_id     uuid NOT NULL,
    PRIMARY KEY (tenant_id, experiment_id, change_id)
);

DO $$
BEGIN
    PERFORM trace.secure('trace.experiment_changes');
END $$;

-- Records at most one change of each experiment in a transaction, unless it changes many. One change in a hundred replaces the
-- committed ones before it, which bounds the table: its own id is new, so the state that remains is new as well.
-- waybill.recorded_changes contains what the transaction recorded; the conditions of the triggers read it too, so most rows
-- execute no function. Assignments, because PERFORM executes a statement.
CREATE FUNCTION trace.record_change(tenant uuid, changed uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    own      text := tenant::text || changed::text;
    recorded text := coalesce(current_setting('waybill.recorded_changes', true), '');
    new_id   uuid := gen_random_uuid();
BEGIN
    IF strpos(recorded, own) > 0 THEN
        RETURN recorded;
    END IF;
    recorded := set_config('waybill.recorded_changes', left(own || recorded, 72 * 20), true);
    -- A session never becomes an experiment later, so its other changes need no record.
    INSERT INTO trace.experiment_changes (tenant_id, experiment_id, change_id)
    SELECT tenant, changed, new_id
    WHERE changed IN ('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        OR EXISTS (SELECT FROM trace.sessions s WHERE s.tenant_id = tenant AND s.id = changed AND s.reference_dataset_id IS NOT NULL);
    IF FOUND AND random() < 0.01 THEN
        DELETE FROM trace.experiment_changes WHERE ctid = ANY (ARRAY(
            SELECT c.ctid FROM trace.experiment_changes c
            WHERE c.tenant_id = tenant AND c.experiment_id = changed AND c.change_id <> new_id
            FOR UPDATE SKIP LOCKED));
    END IF;
    RETURN recorded;
END $$;

CREATE FUNCTION trace.record_change_of_experiment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    recorded text;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        recorded := trace.record_change(OLD.tenant_id, coalesce(OLD.session_id, '00000000-0000-0000-0000-000000000000'));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        recorded := trace.record_change(NEW.tenant_id, coalesce(NEW.session_id, '00000000-0000-0000-0000-000000000000'));
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION trace.record_change_of_examples() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    recorded text;
BEGIN
    recorded := trace.record_change(coalesce(NEW.tenant_id, OLD.tenant_id), 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    RETURN NEW;
END $$;

CREATE FUNCTION trace.record_new_experiment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO trace.experiment_changes (tenant_id, experiment_id, change_id)
    VALUES (NEW.tenant_id, NEW.id, gen_random_uuid());
    RETURN NULL;
END $$;

CREATE FUNCTION trace.remove_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM trace.experiment_changes WHERE tenant_id = OLD.tenant_id AND experiment_id = OLD.id;
    RETURN NULL;
END $$;

-- Comparisons read root runs only. Triggers before deletions would lock every row once more.
CREATE TRIGGER change_of_new_run BEFORE INSERT ON trace.runs FOR EACH ROW
    WHEN (NEW.parent_run_id IS NULL
        AND (strpos(current_setting('waybill.recorded_changes', true), NEW.tenant_id::text || NEW.session_id::text) > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_experiment();
CREATE TRIGGER change_of_changed_run BEFORE UPDATE ON trace.runs FOR EACH ROW
    WHEN ((OLD.parent_run_id IS NULL OR NEW.parent_run_id IS NULL)
        AND (strpos(current_setting('waybill.recorded_changes', true), OLD.tenant_id::text || OLD.session_id::text) > 0
        AND strpos(current_setting('waybill.recorded_changes', true), NEW.tenant_id::text || NEW.session_id::text) > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_experiment();
CREATE TRIGGER change_of_removed_run AFTER DELETE ON trace.runs FOR EACH ROW
    WHEN (OLD.parent_run_id IS NULL
        AND (strpos(current_setting('waybill.recorded_changes', true), OLD.tenant_id::text || OLD.session_id::text) > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_experiment();

-- Feedback on a whole session is not compared.
CREATE TRIGGER change_of_new_feedback BEFORE INSERT ON trace.feedback FOR EACH ROW
    WHEN (NEW.run_id IS NOT NULL
        AND (strpos(current_setting('waybill.recorded_changes', true), NEW.tenant_id::text || NEW.session_id::text) > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_experiment();
CREATE TRIGGER change_of_changed_feedback BEFORE UPDATE ON trace.feedback FOR EACH ROW
    WHEN ((OLD.run_id IS NOT NULL OR NEW.run_id IS NOT NULL)
        AND (strpos(current_setting('waybill.recorded_changes', true), OLD.tenant_id::text || OLD.session_id::text) > 0
        AND strpos(current_setting('waybill.recorded_changes', true), NEW.tenant_id::text || NEW.session_id::text) > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_experiment();
CREATE TRIGGER change_of_removed_feedback AFTER DELETE ON trace.feedback FOR EACH ROW
    WHEN (OLD.run_id IS NOT NULL
        AND (strpos(current_setting('waybill.recorded_changes', true), OLD.tenant_id::text || OLD.session_id::text) > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_experiment();

CREATE TRIGGER change_of_new_example BEFORE INSERT OR UPDATE ON trace.examples FOR EACH ROW
    WHEN ((strpos(current_setting('waybill.recorded_changes', true), NEW.tenant_id::text || 'ffffffff-ffff-ffff-ffff-ffffffffffff') > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_examples();
CREATE TRIGGER change_of_removed_example AFTER DELETE ON trace.examples FOR EACH ROW
    WHEN ((strpos(current_setting('waybill.recorded_changes', true), OLD.tenant_id::text || 'ffffffff-ffff-ffff-ffff-ffffffffffff') > 0) IS NOT TRUE)
    EXECUTE FUNCTION trace.record_change_of_examples();

CREATE TRIGGER new_experiment AFTER INSERT ON trace.sessions FOR EACH ROW
    WHEN (NEW.reference_dataset_id IS NOT NULL) EXECUTE FUNCTION trace.record_new_experiment();
CREATE TRIGGER removed_experiment AFTER DELETE ON trace.sessions FOR EACH ROW
    WHEN (OLD.reference_dataset_id IS NOT NULL) EXECUTE FUNCTION trace.remove_changes();
