package dev.waybill.runtime.run;

import java.time.Clock;
import java.time.Duration;
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

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/**
 * Registry of active runs, and of ended runs for the configured retention. Ends runs that exceed the timeout. At shutdown,
 * while HTTP is still served, it rejects new runs, waits for active runs up to {@code drain-timeout}, and ends the remaining
 * ones with an error.
 */
@Singleton
class RunRegistry {

    private static final Logger LOG = Logger.getLogger(RunRegistry.class);
    private static final Duration RETRY_WHEN_STOPPING = Duration.ofSeconds(5);
    private static final Duration MAX_TIMEOUT_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(12);
    /** Maximum number of ended runs; the oldest are evicted first. */
    static final int MAX_ENDED = 10_000;
    /** Maximum total size of ended runs; the oldest are evicted first. */
    private static final long MAX_RETAINED_BYTES = 64L << 20;
    /** Ended runs, and the inputs of waiting ones, each use at most this fraction of the heap, which can be small. */
    private static final int HEAP_FRACTION = 8;

    private final RunConfig config;
    private final Clock clock;
    private final Map<UUID, Run> runs = new ConcurrentHashMap<>();
    private final Set<Run> active = new HashSet<>();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private final long maxRetainedBytes;
    private final long maxWaitingBytes;
    private long retainedBytes;
    /** Size of the inputs of waiting runs, and of those that have started since it was computed. */
    private long waitingBytes;
    private volatile boolean stopping;

    @Inject
    RunRegistry(RunConfig config, Clock clock, MeterRegistry metrics) {
        this(config, clock, metrics, Runtime.getRuntime().maxMemory());
    }

    RunRegistry(RunConfig config, Clock clock, MeterRegistry metrics, long heap) {
        this.config = config;
        this.clock = clock;
        this.maxRetainedBytes = Math.min(MAX_RETAINED_BYTES, heap / HEAP_FRACTION);
        this.maxWaitingBytes = heap / HEAP_FRACTION;
        metrics.gauge("waybill.runtime.runs.active", this, RunRegistry::countActive);
    }

    /** Starts the timer of the timeouts, which serves all runs: there can be many. */
    void begin(@Observes StartupEvent starting, Vertx vertx) {
        long interval = Math.min(MAX_TIMEOUT_INTERVAL.toMillis(), config.timeout().toMillis() / 10);
        vertx.setPeriodic(Math.max(1, interval), ignored -> endOverdue(clock.instant()));
    }

    void endOverdue(Instant now) {
        Instant latest = now.minus(config.timeout());
        for (Run run : active()) {
            if (run.isRunningSince(latest)) {
                run.stop(RunStatus.TIMEOUT, RunError.timeout(config.timeout()));
            }
        }
    }

    void stop(@Observes ShutdownDelayInitiatedEvent event) throws InterruptedException {
        stopping = true;
        LOG.infof("shutting down and rejecting new runs: active_runs=%s timeout=%s", countActive(), config.drainTimeout());
        if (!awaitIdle(config.drainTimeout())) {
            active().forEach(run -> run.stop(RunStatus.INTERRUPTED, RunError.STOPPED));
            // Runs on threads end when their worker has responded and their result is stored.
            awaitIdle(STOP_TIMEOUT);
        }
    }

    boolean isStopping() {
        return stopping;
    }

    /** @throws ProblemException 503 during shutdown */
    void rejectIfStopping() {
        if (stopping) {
            throw new ProblemException(CommonProblem.UNAVAILABLE,
                    "This runtime is shutting down and accepts no new runs; retry in a moment.")
                    .retryAfter(RETRY_WHEN_STOPPING);
        }
    }

    /**
     * Adds a new run.
     *
     * @throws ProblemException 429 when the limit of active runs, or of the inputs of waiting ones, is reached
     */
    synchronized void add(Run run) {
        requireMemory(run.waitingBytes());
        addStored(run);
    }

    /**
     * Adds a run that was accepted before, so that its input does not count.
     *
     * @throws ProblemException 429 when the limit of active runs is reached
     */
    synchronized void addStored(Run run) {
        if (active.size() >= config.maxConcurrent()) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                    "This application has " + active.size()
                            + " active runs, the maximum; retry in a moment.")
                    .retryAfter(Duration.ofSeconds(1));
        }
        waitingBytes += run.waitingBytes();
        active.add(run);
        runs.put(run.id(), run);
        evictExpired();
    }

    private void requireMemory(long bytes) {
        if (waitingBytes + bytes > maxWaitingBytes) {
            waitingBytes = active.stream().mapToLong(Run::waitingBytes).sum();
        }
        if (waitingBytes > 0 && waitingBytes + bytes > maxWaitingBytes) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                    "The inputs of this application's waiting runs may have at most " + (maxWaitingBytes >> 20)
                            + " MiB together; retry in a moment.")
                    .retryAfter(Duration.ofSeconds(1));
        }
    }

    /** Removes a run that was not created after all. */
    synchronized void discard(Run run) {
        active.remove(run);
        runs.remove(run.id(), run);
        notifyAll();
    }

    /** Moves the run to the ended ones. */
    synchronized void ended(Run run) {
        active.remove(run);
        long bytes = run.retainedBytes();
        retainedBytes += bytes;
        ended.add(new Ended(run, clock.instant().plus(config.retention().maxAge()), bytes));
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

    /** Returns the run of any caller. */
    Optional<Run> find(UUID id) {
        return Optional.ofNullable(runs.get(id));
    }

    synchronized int countActive() {
        return active.size();
    }

    synchronized List<Run> active() {
        return List.copyOf(active);
    }

    /** Waits until no run is active; returns false after the timeout. */
    private synchronized boolean awaitIdle(Duration timeout) throws InterruptedException {
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
        while (!ended.isEmpty() && (ended.size() > MAX_ENDED || retainedBytes > maxRetainedBytes
                || ended.getFirst().expiresAt().isBefore(now))) {
            Ended oldest = ended.removeFirst();
            retainedBytes -= oldest.bytes();
            // A run whose idempotency key is used again after its deletion has the same id.
            runs.remove(oldest.run().id(), oldest.run());
        }
    }

    private record Ended(Run run, Instant expiresAt, long bytes) {
    }
}
