package dev.waybill.runtime.worker;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.waybill.runtime.protocol.MessageWriter;

/** Asks a worker at intervals whether it still listens (docs/worker-protocol.md); one question is open at a time. */
final class Pings {

    private static final long NONE = 0;

    private final WorkerConfig config;
    private final ScheduledExecutorService clock;
    private final AtomicLong requests;
    private final Consumer<byte[]> worker;
    private final Runnable unanswered;
    private volatile long open = NONE;
    private volatile boolean ended;

    /**
     * {@code requests} numbers all that the worker is asked; {@code unanswered} hears of a ping that was not answered in time.
     */
    Pings(WorkerConfig config, ScheduledExecutorService clock, AtomicLong requests, Consumer<byte[]> worker,
            Runnable unanswered) {
        this.config = config;
        this.clock = clock;
        this.requests = requests;
        this.worker = worker;
        this.unanswered = unanswered;
    }

    void begin() {
        long number = requests.incrementAndGet();
        open = number;
        worker.accept(MessageWriter.ping(number));
        clock.schedule(() -> giveUpOn(number), config.pingTimeout().toMillis(), TimeUnit.MILLISECONDS);
        again();
    }

    /** Whether {@code request} was the open ping, which it then is no longer. */
    boolean answered(long request) {
        boolean ours = request == open;
        if (ours) {
            open = NONE;
        }
        return ours;
    }

    void end() {
        ended = true;
    }

    private void giveUpOn(long number) {
        if (open == number) {
            unanswered.run();
        }
    }

    private void again() {
        clock.schedule(this::next, config.pingEvery().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void next() {
        if (!ended && open == NONE) {
            begin();
        } else if (!ended) {
            again();
        }
    }
}
