package dev.waybill.experiment.summary;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Determines which hours every transaction that began to write in them has left: only their changes are all recorded or
 * visible. A transaction that writes a run of the current hour has an id that was assigned in this hour, by the clock of the
 * database; once all such ids are finished, the hour is closed. Not thread-safe.
 */
final class ClosedHours {

    /** Tolerated steps of the clock. */
    static final Duration MARGIN = Duration.ofMinutes(5);

    private static final int MAX_PENDING = 1_000;

    private final Deque<Observation> pending = new ArrayDeque<>();
    private @Nullable Instant closedAt;
    private @Nullable Instant lastTime;

    /** Adds an observation; returns whether the clock was set back by more than the margin. */
    boolean observe(Observation observation) {
        boolean setBack = lastTime != null && observation.time().isBefore(lastTime.minus(MARGIN.dividedBy(2)));
        lastTime = observation.time();
        if (setBack) {
            pending.clear();
            closedAt = null;
        }
        while (!pending.isEmpty() && pending.getFirst().nextId() <= observation.oldestId()) {
            closedAt = pending.removeFirst().time();
        }
        if (observation.nextId() <= observation.oldestId()) {
            pending.clear();
            closedAt = observation.time();
        } else if (pending.size() < MAX_PENDING) {
            pending.addLast(observation);
        }
        return setBack;
    }

    /** Returns the end of the last closed hour. */
    Optional<Instant> until() {
        return Optional.ofNullable(closedAt)
                .map(time -> time.minus(MARGIN))
                .map(time -> Instant.ofEpochSecond(time.getEpochSecond() - Math.floorMod(time.getEpochSecond(), Buckets.HOUR)));
    }

    /**
     * State of the database at one point in time.
     *
     * @param time its clock
     * @param oldestId no transaction with a lower id is in progress
     * @param nextId an id above all that were assigned to transactions before the time
     */
    record Observation(Instant time, long oldestId, long nextId) {
    }
}
