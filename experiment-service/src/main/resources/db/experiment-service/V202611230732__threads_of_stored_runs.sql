-- Runs that were stored before threads were. A transaction of its own: it locks no more than the rows it changes.
SET LOCAL waybill.every_workspace = 'on';

UPDATE trace.runs SET thread_id = trace.thread_id(metadata)
WHERE thread_id IS NULL
    AND strpos(metadata, 'session_id"') + strpos(metadata, 'thread_id"') + strpos(metadata, 'conversation_id"') > 0
    AND trace.thread_id(metadata) IS NOT NULL;
