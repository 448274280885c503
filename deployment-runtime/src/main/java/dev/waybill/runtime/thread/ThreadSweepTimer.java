package dev.waybill.runtime.thread;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;

/** Deletes expired threads and items, and what deleted threads left, in batches. */
@Singleton
class ThreadSweepTimer {

    private static final Logger LOG = Logger.getLogger(ThreadSweepTimer.class);
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    /** Intervals after which a runtime that is not in use sweeps. */
    private static final int IDLE_INTERVALS = 10;
    static final int BATCH = 500;

    private final RuntimeStorage storage;
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final AtomicInteger intervals = new AtomicInteger();

    ThreadSweepTimer(RuntimeStorage storage) {
        this.storage = storage;
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        storage.find().ifPresent(opened -> vertx.setPeriodic(INTERVAL.toMillis(), ignored -> {
            if (intervals.incrementAndGet() % IDLE_INTERVALS == 0 || storage.isInUse()) {
                begin(opened);
            }
        }));
    }

    private void begin(Storage opened) {
        if (sweeping.compareAndSet(false, true)) {
            sweep(opened)
                    .onTermination().invoke(() -> sweeping.set(false))
                    .subscribe().with(ignored -> {
                    }, failure -> LOG.warnf("expired threads were not deleted: %s", failure.getMessage()));
        }
    }

    /** Deletes batches until nothing is left. */
    static Uni<Void> sweep(Storage storage) {
        return Uni.createFrom().deferred(() -> batch(storage))
                .repeat().until(deleted -> deleted == 0)
                .collect().last()
                .replaceWithVoid();
    }

    private static Uni<Integer> batch(Storage storage) {
        return storage.threads().expire(BATCH)
                .chain(threads -> storage.items().expire(BATCH).map(items -> threads + items));
    }
}
