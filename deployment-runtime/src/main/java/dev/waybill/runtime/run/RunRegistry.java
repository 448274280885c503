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

/** The runs there are: those under way, and for a while those that have ended. */
@Singleton
class RunRegistry {

    /** All that ended runs keep together, so that many cannot fill the memory. */
    private static final long MOST_KEPT_BYTES = 64L << 20;

    private final RunConfig config;
    private final Clock clock;
    private final Map<UUID, Run> runs = new ConcurrentHashMap<>();
    private final Set<Run> underWay = new HashSet<>();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private long keptBytes;

    RunRegistry(RunConfig config, Clock clock, MeterRegistry metrics) {
        this.config = config;
        this.clock = clock;
        metrics.gauge("waybill.runtime.runs.under.way", this, RunRegistry::countUnderWay);
    }

    /**
     * Takes a new run in.
     *
     * @throws ProblemException 429 when there are too many
     */
    synchronized void add(Run run) {
        if (underWay.size() >= config.concurrent()) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                    "This application has " + underWay.size()
                            + " runs under way, as many as it may have; try again in a moment.")
                    .retryAfter(java.time.Duration.ofSeconds(1));
        }
        underWay.add(run);
        runs.put(run.id(), run);
        forgetOld();
    }

    /** Notes that it has ended: from now on it is only kept. */
    synchronized void ended(Run run) {
        underWay.remove(run);
        long bytes = run.keptBytes();
        keptBytes += bytes;
        ended.add(new Ended(run.id(), clock.instant().plus(config.keptFor()), bytes));
        forgetOld();
        notifyAll();
    }

    /** The caller's run; another's is not there. */
    Optional<Run> find(UUID id, String principal) {
        synchronized (this) {
            forgetOld();
        }
        return Optional.ofNullable(runs.get(id)).filter(run -> run.principal().equals(principal));
    }

    synchronized int countUnderWay() {
        return underWay.size();
    }

    synchronized List<Run> underWay() {
        return List.copyOf(underWay);
    }

    /** Waits until none is under way; false when that takes longer than allowed. */
    synchronized boolean awaitIdle(java.time.Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!underWay.isEmpty()) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    private void forgetOld() {
        Instant now = clock.instant();
        while (!ended.isEmpty() && (ended.size() > config.kept() || keptBytes > MOST_KEPT_BYTES
                || ended.getFirst().until().isBefore(now))) {
            Ended oldest = ended.removeFirst();
            keptBytes -= oldest.bytes();
            runs.remove(oldest.id());
        }
    }

    private record Ended(UUID id, Instant until, long bytes) {
    }
}
