package dev.waybill.common.job;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jboss.logging.Logger;

import dev.waybill.common.database.DatabaseOutage;
import io.smallrye.mutiny.Uni;

/**
 * Claims and starts work when a replica is notified that some may be due. Polls never overlap; a request during a poll causes
 * another poll afterwards.
 */
final class WorkPoller {

    private static final Logger LOG = Logger.getLogger(WorkPoller.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(8);

    private final Supplier<Uni<Boolean>> claimAndStart;
    // Number of requests since the last poll started.
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean stopping;

    /** @param claimAndStart claims and starts due work; returns whether more work may be due immediately */
    WorkPoller(Supplier<Uni<Boolean>> claimAndStart) {
        this.claimAndStart = claimAndStart;
    }

    /** Requests a poll. */
    void poll() {
        if (!stopping && requests.getAndIncrement() == 0) {
            startPoll();
        }
    }

    /** Returns whether the poller is stopping; work that was just claimed must then be released instead of started. */
    boolean isStopping() {
        return stopping;
    }

    /**
     * Stops polling and waits up to 8 s until {@code release} completes, so that other replicas need not wait until the leases
     * expire.
     */
    void stop(Supplier<Uni<Void>> release) {
        stopping = true;
        CountDownLatch released = new CountDownLatch(1);
        release.get()
                .ifNoItem().after(STOP_TIMEOUT).fail()
                .subscribe().with(done -> released.countDown(), failure -> {
                    LOG.warn("claimed work could not be released; other replicas claim it when its leases expire", failure);
                    released.countDown();
                });
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // The thread inherits nothing: work started here must not retain the context of the request that triggered it, nor its
    // class loader, which the first access to the database uses.
    private void startPoll() {
        Thread thread = Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(this::pollOnce);
        thread.setContextClassLoader(WorkPoller.class.getClassLoader());
        thread.start();
    }

    private void pollOnce() {
        int known = requests.get();
        Uni.createFrom().deferred(() -> claimAndStart.get())
                .subscribe().with(mayBeMore -> next(mayBeMore, known), failure -> {
                    DatabaseOutage.reason(failure).ifPresentOrElse(
                            reason -> LOG.warnf("the database is unavailable, so polling for work failed: %s", reason),
                            () -> LOG.warn("polling for work failed; the next poll retries", failure));
                    next(false, known);
                });
    }

    private void next(boolean mayBeMore, int known) {
        if (mayBeMore || !requests.compareAndSet(known, 0)) {
            startPoll();
        }
    }
}
