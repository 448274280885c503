package dev.waybill.runtime.worker;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.waybill.runtime.protocol.MessageWriter;

/** Pings a worker at an interval (docs/worker-protocol.md); at most one ping is pending. */
final class PingMonitor {

    private static final long NONE = 0;
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final WorkerConfig config;
    private final ScheduledExecutorService scheduler;
    private final AtomicLong requests;
    private final Consumer<byte[]> worker;
    private final Runnable onTimeout;
    private volatile long pending = NONE;
    private volatile boolean ended;

    /**
     * @param requests counter of request ids
     * @param onTimeout called when the worker does not respond to a ping in time
     */
    PingMonitor(WorkerConfig config, ScheduledExecutorService scheduler, AtomicLong requests, Consumer<byte[]> worker,
            Runnable onTimeout) {
        this.config = config;
        this.scheduler = scheduler;
        this.requests = requests;
        this.worker = worker;
        this.onTimeout = onTimeout;
    }

    void send() {
        long number = requests.incrementAndGet();
        pending = number;
        worker.accept(MessageWriter.ping(number));
        scheduler.schedule(() -> timeOut(number), config.pingTimeout().toMillis(), TimeUnit.MILLISECONDS);
        scheduleNext();
    }

    /** Returns whether {@code request} is the pending ping, and clears it. */
    boolean acknowledge(long request) {
        boolean matches = request == pending;
        if (matches) {
            pending = NONE;
        }
        return matches;
    }

    void end() {
        ended = true;
    }

    private void timeOut(long number) {
        if (pending == number) {
            onTimeout.run();
        }
    }

    private void scheduleNext() {
        scheduler.schedule(this::next, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void next() {
        if (!ended && pending == NONE) {
            send();
        } else if (!ended) {
            scheduleNext();
        }
    }
}
