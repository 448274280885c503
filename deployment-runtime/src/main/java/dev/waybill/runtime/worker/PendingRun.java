package dev.waybill.runtime.worker;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.Workers.RunHandle;

/** Handle of a run that may still wait for a worker to become ready. */
final class PendingRun implements RunHandle {

    private final UUID id;
    private final RunSink sink;
    private final WorkerPool pool;
    private final @Nullable String method;
    private @Nullable ObjectNode request;
    private @Nullable RunHandle started;
    private boolean ended;

    PendingRun(UUID id, ObjectNode request, RunSink sink, WorkerPool pool) {
        this(id, null, request, sink, pool);
    }

    /** @param method method of a request for a thread's state; null for a run */
    PendingRun(UUID id, @Nullable String method, ObjectNode request, RunSink sink, WorkerPool pool) {
        this.id = id;
        this.method = method;
        this.request = request;
        this.sink = sink;
        this.pool = pool;
    }

    void startIn(Worker worker) {
        synchronized (this) {
            ObjectNode params = request;
            if (!ended && params != null) {
                started = method == null ? worker.start(id, params, sink) : worker.request(id, method, params, sink);
                // Released early: it can be large, and the run can be long.
                request = null;
            }
        }
    }

    void fail(String error, String message) {
        end(new Outcome.Failed(error, message));
    }

    @Override
    public void releaseCredit(int cost) {
        RunHandle handle = started();
        if (handle != null) {
            handle.releaseCredit(cost);
        }
    }

    @Override
    public void cancel() {
        RunHandle handle = started();
        if (handle != null) {
            handle.cancel();
        } else {
            pool.remove(this);
            end(new Outcome.Cancelled());
        }
    }

    private void end(Outcome outcome) {
        synchronized (this) {
            if (ended || started != null) {
                return;
            }
            ended = true;
        }
        sink.ended(outcome);
        sink.released(outcome);
    }

    private synchronized @Nullable RunHandle started() {
        return started;
    }
}
