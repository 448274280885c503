package dev.waybill.runtime.run;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.micrometer.core.instrument.MeterRegistry;

/** Registry of active runs, and of ended runs for the configured retention. */
@Singleton
class RunRegistry {

    /** Maximum total size of ended runs. */
    private static final long MAX_RETAINED_BYTES = 64L << 20;

    private final RunConfig config;
    private final Clock clock;
    private final Map<UUID, Run> runs = new ConcurrentHashMap<>();
    private final Set<Run> active = new HashSet<>();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private long retainedBytes;

    RunRegistry(RunConfig config, Clock clock, MeterRegistry metrics) {
        this.config = config;
        this.clock = clock;
        metrics.gauge("waybill.runtime.runs.active", this, RunRegistry::countActive);
    }

    /**
     * Adds a new run.
     *
     * @throws ProblemException 429 when the limit of active runs is reached
     */
    synchronized void add(Run run) {
        if (active.size() >= config.maxConcurrent()) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                    "This application has " + active.size()
                            + " active runs, the maximum; retry in a moment.")
                    .retryAfter(java.time.Duration.ofSeconds(1));
        }
        active.add(run);
        runs.put(run.id(), run);
        evictExpired();
    }

    /** Moves the run to the ended ones. */
    synchronized void ended(Run run) {
        active.remove(run);
        long bytes = run.retainedBytes();
        retainedBytes += bytes;
        ended.add(new Ended(run.id(), clock.instant().plus(config.retention().maxAge()), bytes));
        evictExpired();
        notifyAll();
    }

    /** Returns the run if it belongs to the caller. */
    Optional<Run> find(UUID id, String principal) {
        synchronized (this) {
            evictExpired();
        }
        return Optional.ofNullable(runs.get(id)).filter(run -> run.principal().equals(principal));
    }

    synchronized int countActive() {
        return active.size();
    }

    synchronized List<Run> active() {
        return List.copyOf(active);
    }

    /** Waits until no run is active; returns false after the timeout. */
    synchronized boolean awaitIdle(java.time.Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (!active.isEmpty()) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    private void evictExpired() {
        Instant now = clock.instant();
        while (!ended.isEmpty() && (ended.size() > config.retention().maxCount() || retainedBytes > MAX_RETAINED_BYTES
                || ended.getFirst().expiresAt().isBefore(now))) {
            Ended oldest = ended.removeFirst();
            retainedBytes -= oldest.bytes();
            runs.remove(oldest.id());
        }
    }

    private record Ended(UUID id, Instant expiresAt, long bytes) {
    }
}
