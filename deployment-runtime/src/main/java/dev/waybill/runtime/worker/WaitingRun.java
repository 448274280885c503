package dev.waybill.runtime.worker;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A run on its way into a worker: perhaps there at once, perhaps waiting until one is ready. */
final class WaitingRun implements RunHandle {

    private final UUID id;
    private final RunSink sink;
    private final WorkerPool pool;
    private @Nullable ObjectNode request;
    private @Nullable RunHandle started;
    private boolean ended;

    WaitingRun(UUID id, ObjectNode request, RunSink sink, WorkerPool pool) {
        this.id = id;
        this.request = request;
        this.sink = sink;
        this.pool = pool;
    }

    void startIn(Worker worker) {
        synchronized (this) {
            ObjectNode told = request;
            if (!ended && told != null) {
                started = worker.start(id, told, sink);
                // It may be as large as a body, and the run may last.
                request = null;
            }
        }
    }

    void fail(String error, String message) {
        end(new Outcome.Failed(error, message));
    }

    @Override
    public void consumed(int cost) {
        RunHandle inWorker = started();
        if (inWorker != null) {
            inWorker.consumed(cost);
        }
    }

    @Override
    public void cancel() {
        RunHandle inWorker = started();
        if (inWorker != null) {
            inWorker.cancel();
        } else {
            pool.forget(this);
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
    }

    private synchronized @Nullable RunHandle started() {
        return started;
    }
}
