package dev.waybill.runtime.worker;

import java.util.UUID;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter;

/**
 * A run as its worker's side sees it: how much it may still send, and that its end is told once. The thread that reads the
 * worker brings events; ends may come from anywhere.
 */
final class WorkerRun implements RunHandle {

    private final UUID id;
    private final long window;
    private final RunSink sink;
    private final Worker worker;
    private long granted;
    private long received;
    private long handedBack;
    private boolean ended;

    WorkerRun(UUID id, long window, RunSink sink, Worker worker) {
        this.id = id;
        this.window = window;
        this.granted = window;
        this.sink = sink;
        this.worker = worker;
    }

    UUID id() {
        return id;
    }

    /** Hands the event on; false when the run was allowed to send nothing at that point. */
    synchronized boolean event(Message.Event event) {
        if (ended) {
            return true;
        }
        if (received >= granted) {
            return false;
        }
        received += event.cost();
        sink.event(event.mode(), event.namespace(), event.data(), event.cost());
        return true;
    }

    /** These were all the events for now. */
    synchronized void caughtUp() {
        if (!ended) {
            sink.caughtUp();
        }
    }

    /** Tells the end, unless it was told before. */
    synchronized boolean end(Outcome outcome) {
        if (ended) {
            return false;
        }
        ended = true;
        sink.ended(outcome);
        return true;
    }

    synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public void consumed(int cost) {
        long bytes = 0;
        synchronized (this) {
            handedBack += cost;
            // Not for every event: half of what may be under way at once.
            if (!ended && handedBack * 2 >= window) {
                bytes = handedBack;
                granted += bytes;
                handedBack = 0;
            }
        }
        if (bytes > 0) {
            worker.send(MessageWriter.credit(id, bytes));
        }
    }

    @Override
    public void cancel() {
        worker.cancel(this, new Outcome.Cancelled());
    }
}
