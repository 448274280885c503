-- Runtimes use generic plans. Without statistics PostgreSQL assumes that a deployment has one row, and then reads all rows of
-- the deployment for each thread or run instead of using its key (docs/decisions/0190). Rows of one deployment, which are
-- deleted below, give a table that has few its first statistics. Autovacuum replaces them when a table has had enough changes.
SET LOCAL lock_timeout = '5s';
SET LOCAL waybill.every_workspace = 'on';

DO $$
DECLARE
    -- Random UUIDs: the rows cannot be those of a deployment.
    example uuid := gen_random_uuid();
    filled text;
    has_rows boolean;
    defaults text;
BEGIN
    FOREACH filled IN ARRAY ARRAY['threads', 'thread_values', 'runs', 'checkpoints', 'blobs', 'writes', 'run_events',
            'items'] LOOP
        EXECUTE format('ALTER TABLE runtime.%I SET (autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000)',
            filled);
        EXECUTE format('SELECT count(*) = 400 FROM (SELECT FROM runtime.%I LIMIT 400) r', filled) INTO has_rows;
        IF has_rows THEN
            EXECUTE format('ANALYZE runtime.%I', filled);
            CONTINUE;
        END IF;
        -- Every column without a default gets a value of its type that differs between the rows, or is valid in its check.
        SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) || ') SELECT '
               || string_agg(CASE
                      WHEN a.attname IN ('tenant_id', 'deployment_id') THEN quote_literal(example) || '::uuid'
                      WHEN a.attname = 'status' THEN CASE filled WHEN 'runs' THEN '''success''' ELSE '''idle''' END
                      WHEN a.attname = 'kind' THEN '''run'''
                      WHEN a.attname = 'multitask_strategy' THEN '''enqueue'''
                      WHEN a.atttypid = 'uuid'::regtype THEN 'gen_random_uuid()'
                      WHEN a.atttypid = 'jsonb'::regtype THEN '''{}'''
                      WHEN a.atttypid = 'bytea'::regtype THEN '''{}'''
                      WHEN a.atttypid = 'timestamptz'::regtype THEN 'now()'
                      WHEN a.atttypid IN ('int'::regtype, 'bigint'::regtype) THEN 'number'
                      ELSE 'number::text' END, ', ' ORDER BY a.attnum)
          INTO defaults
          FROM pg_attribute a
         WHERE a.attrelid = ('runtime.' || filled)::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull
           AND NOT a.atthasdef AND a.attidentity = '';
        EXECUTE format('INSERT INTO runtime.%I (%s FROM generate_series(1, 400) number', filled, defaults);
        EXECUTE format('ANALYZE runtime.%I', filled);
        EXECUTE format('DELETE FROM runtime.%I WHERE tenant_id = %L', filled, example);
    END LOOP;
END $$;
