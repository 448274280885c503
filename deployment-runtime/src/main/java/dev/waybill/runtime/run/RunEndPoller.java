package dev.waybill.runtime.run;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/** Waits for the ends of runs that other replicas execute: one query for all runs that clients of this replica wait for. */
@Singleton
class RunEndPoller {

    private static final Logger LOG = Logger.getLogger(RunEndPoller.class);

    private final RuntimeStorage storage;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean polling = new AtomicBoolean();

    RunEndPoller(RuntimeStorage storage) {
        this.storage = storage;
    }

    /** Completes after a run has ended or was deleted. */
    Uni<Void> await(UUID run) {
        return Uni.createFrom().emitter(emitter -> {
            Waiter waiter = new Waiter(run, emitter);
            waiters.add(waiter);
            emitter.onTermination(() -> waiters.remove(waiter));
        });
    }

    /** Completes the waits for runs that are not active any more. Does nothing without waiting clients. */
    void tick() {
        if (waiters.isEmpty() || !polling.compareAndSet(false, true)) {
            return;
        }
        List<Waiter> asked = List.copyOf(waiters);
        Set<UUID> runs = ConcurrentHashMap.newKeySet();
        asked.forEach(waiter -> runs.add(waiter.run()));
        Uni.createFrom().deferred(() -> storage.execute(opened -> opened.runs().findActive(runs))).subscribeAsCompletionStage()
                .whenComplete((active, failure) -> {
                    polling.set(false);
                    if (failure == null) {
                        asked.stream().filter(waiter -> !active.contains(waiter.run()))
                                .forEach(waiter -> waiter.emitter().complete(null));
                    } else {
                        LOG.debugf("could not read the runs that clients wait for: %s", failure.getMessage());
                    }
                });
    }

    /** A client; two of them are equal only if they are the same. */
    private record Waiter(UUID run, UniEmitter<? super Void> emitter) {
    }
}
