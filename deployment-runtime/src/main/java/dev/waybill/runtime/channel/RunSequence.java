package dev.waybill.runtime.channel;

import java.time.Instant;
import java.util.UUID;

import dev.waybill.runtime.event.EventLog;

/**
 * Sequence numbers of the events of a thread's runs: later runs have larger ones, also on other replicas and after a restart,
 * and each is an integer that JavaScript can represent (until the year 2255). They are not consecutive.
 */
public final class RunSequence {

    /** Numbers between two events of a run; an event of a run becomes several events of channels. */
    private static final int EVENT_STEP = 8;
    /** Numbers between runs that were created one millisecond after the other. */
    private static final long MILLIS_STEP = 1_000;
    private static final int VERSION_7 = 7;

    private final long base;
    private long last;

    RunSequence(long base) {
        this.base = base;
        this.last = base;
    }

    /** Returns the number before the first event of a run. */
    public static long base(UUID run, Instant createdAt) {
        // Replicas may know the creation with a different precision, but not the id, which contains it.
        long millis = run.version() == VERSION_7 ? run.getMostSignificantBits() >>> Short.SIZE : createdAt.toEpochMilli();
        return millis * MILLIS_STEP;
    }

    /** Returns the earliest time at which a run may have ended whose events have larger numbers. */
    public static Instant timeOf(long number) {
        return Instant.ofEpochMilli(number / MILLIS_STEP);
    }

    /** Returns the next number, for an event that was made of the run's event with that number. */
    long next(long event) {
        last = Math.max(last + 1, base + EVENT_STEP * (event + 1));
        return last;
    }

    /** Returns the next number, for an event without a number that follows all others of the run, and has this time. */
    long nextStored(long millis) {
        last = Math.max(last + 1, Math.min(base + EVENT_STEP * EventLog.ATTEMPT_NUMBERS, millis * MILLIS_STEP));
        return last;
    }
}
