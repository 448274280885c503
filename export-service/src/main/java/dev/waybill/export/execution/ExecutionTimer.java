package dev.waybill.export.execution;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.export.job.ExportOutcomeService;
import dev.waybill.export.run.WorkDue;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Starts work: at its turns, when an export was ordered or cancelled here, and when something was finished. What is started
 * runs until it ends or this replica stops.
 */
@Singleton
class ExecutionTimer {

    private static final Logger LOG = Logger.getLogger(ExecutionTimer.class);
    private static final Cancellable NOT_YET = () -> {
    };
    private static final Duration STOPPING = Duration.ofSeconds(8);

    private final Workers workers;
    private final ExportOutcomeService outcomes;
    private final Leftovers leftovers;
    private final Map<Work, Cancellable> underWay = new ConcurrentHashMap<>();
    // How often it was asked to look since it last began to: so that what is asked while it looks is not missed.
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean stopping;

    ExecutionTimer(Workers workers, ExportOutcomeService outcomes, Leftovers leftovers) {
        this.workers = workers;
        this.outcomes = outcomes;
        this.leftovers = leftovers;
    }

    @Scheduled(identity = "export-work", every = "{waybill.export.execution.every}", delayed = "0s")
    void tick() {
        look();
    }

    @Scheduled(identity = "export-sweep", every = "{waybill.export.execution.sweep-every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return outcomes.timeOut()
                .chain(leftovers::sweep)
                .replaceWithVoid();
    }

    void onWork(@Observes WorkDue ignored) {
        look();
    }

    /** Gives everything back, so that other replicas need not wait for the leases to run out. */
    void stop(@Observes ShutdownEvent ignored) {
        stopping = true;
        underWay.values().forEach(Cancellable::cancel);
        CountDownLatch givenBack = new CountDownLatch(1);
        workers.giveBackAll()
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

    private void look() {
        if (!stopping && asked.getAndIncrement() == 0) {
            takeNext();
        }
    }

    // On a thread that inherits nothing: what is started here must not keep the context of the request that asked for it.
    private void takeNext() {
        Thread.ofVirtual().inheritInheritableThreadLocals(false).start(this::claimNext);
    }

    private void claimNext() {
        int seen = asked.get();
        workers.next()
                .subscribe().with(next -> taken(next, seen), failure -> {
                    LOG.warn("looking for work failed; the next turn looks again", failure);
                    rest(seen);
                });
    }

    private void taken(Optional<Work> next, int seen) {
        if (next.isEmpty()) {
            rest(seen);
        } else if (stopping) {
            next.get().giveBack().subscribe().with(done -> LOG.debug("claimed too late to be done"),
                    failure -> LOG.debug("claimed too late to be done", failure));
        } else {
            boolean mayBeMore = workers.mayTakeMoreThan(next.get());
            start(next.get());
            if (mayBeMore) {
                takeNext();
            } else {
                rest(seen);
            }
        }
    }

    private void rest(int seen) {
        if (!asked.compareAndSet(seen, 0)) {
            takeNext();
        }
    }

    private void start(Work work) {
        underWay.put(work, NOT_YET);
        Cancellable started = work.perform()
                .subscribe().with(done -> ended(work), failure -> {
                    LOG.error("what came of a piece of work could not be written down; it is done again later", failure);
                    ended(work);
                });
        underWay.replace(work, started);
    }

    private void ended(Work work) {
        underWay.remove(work);
        workers.done(work);
        look();
    }
}
