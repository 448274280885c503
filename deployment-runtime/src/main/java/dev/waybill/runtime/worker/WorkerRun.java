package dev.waybill.runtime.worker;

import java.util.UUID;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter;
import dev.waybill.runtime.protocol.Step;

/**
 * A run as its worker's side sees it: how much it may still send, and that its end is told once. The thread that reads the
 * worker brings events; ends may come from anywhere.
 */
final class WorkerRun implements RunHandle {

    private final UUID id;
    private final long window;
    private final long mostOfSteps;
    private final RunSink sink;
    private final Worker worker;
    private long granted;
    private long received;
    private long handedBack;
    private long steps;
    private boolean ended;

    /** @param mostOfSteps how many bytes of steps it may send before that is taken for a flood */
    WorkerRun(UUID id, long window, long mostOfSteps, RunSink sink, Worker worker) {
        this.id = id;
        this.window = window;
        this.mostOfSteps = mostOfSteps;
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

    /** Hands the step on; false when it is one of a flood. */
    synchronized boolean step(Step step) {
        if (!ended) {
            steps += step.cost();
            sink.step(step);
        }
        return steps <= mostOfSteps;
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
