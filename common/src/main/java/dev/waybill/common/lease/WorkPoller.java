package dev.waybill.common.lease;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jboss.logging.Logger;

import dev.waybill.common.database.DatabaseOutage;
import io.smallrye.mutiny.Uni;

/**
 * When a replica looks for work that it may claim: whenever somebody asks it to, one look after the other. What is asked while
 * it looks is not missed: then it looks once more.
 */
public final class WorkPoller {

    private static final Logger LOG = Logger.getLogger(WorkPoller.class);
    private static final Duration STOPPING = Duration.ofSeconds(8);

    private final Supplier<Uni<Boolean>> claimAndStart;
    // How often it was asked to look since it last began to.
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean stopping;

    /** @param claimAndStart takes what is due, and answers whether there may be more to take at once */
    public WorkPoller(Supplier<Uni<Boolean>> claimAndStart) {
        this.claimAndStart = claimAndStart;
    }

    /** There may be something to do. */
    public void look() {
        if (!stopping && asked.getAndIncrement() == 0) {
            begin();
        }
    }

    /** What was claimed just now comes too late to be begun. */
    public boolean isStopping() {
        return stopping;
    }

    /**
     * Looks no more, and returns when everything was given back, or some seconds later: so other replicas need not wait for the
     * leases to run out.
     */
    public void stop(Supplier<Uni<Void>> giveBack) {
        stopping = true;
        CountDownLatch givenBack = new CountDownLatch(1);
        giveBack.get()
                .ifNoItem().after(STOPPING).fail()
                .subscribe().with(done -> givenBack.countDown(), failure -> {
                    LOG.warn("claimed work could not be given back; others take it when its leases have run out", failure);
                    givenBack.countDown();
                });
        try {
            givenBack.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // On a thread that inherits nothing: what is started here must not keep the context of the request that asked for it. Not
    // even who loads classes, which the first to touch the database needs.
    private void begin() {
        Thread thread = Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(this::lookOnce);
        thread.setContextClassLoader(WorkPoller.class.getClassLoader());
        thread.start();
    }

    private void lookOnce() {
        int seen = asked.get();
        Uni.createFrom().deferred(() -> claimAndStart.get())
                .subscribe().with(mayBeMore -> next(mayBeMore, seen), failure -> {
                    DatabaseOutage.reason(failure).ifPresentOrElse(
                            reason -> LOG.warnf("the database is unavailable, so looking for work failed: %s", reason),
                            () -> LOG.warn("looking for work failed; the next turn looks again", failure));
                    next(false, seen);
                });
    }

    private void next(boolean mayBeMore, int seen) {
        if (mayBeMore || !asked.compareAndSet(seen, 0)) {
            begin();
        }
    }
}
