package dev.waybill.controlplane.engine.local;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

import dev.waybill.common.limit.Backoff;

/**
 * Delays restarts of crashing revisions with exponential backoff. A revision that stays up for a while is reset and its entry
 * is removed.
 */
final class RestartBackoff {

    private static final Duration INITIAL_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);
    private static final Duration STABLE_AFTER = Duration.ofMinutes(2);

    private final Backoff backoff;
    private final LongSupplier nanos;
    private final ConcurrentMap<UUID, Record> records = new ConcurrentHashMap<>();

    /** @param last time of the last start, in nanoseconds */
    private record Record(int times, long last) {
    }

    RestartBackoff() {
        this(MAX_BACKOFF, System::nanoTime);
    }

    RestartBackoff(Duration maxBackoff, LongSupplier nanos) {
        this.backoff = new Backoff(INITIAL_BACKOFF, maxBackoff);
        this.nanos = nanos;
    }

    /** Returns the remaining delay before the next restart. */
    Duration remainingDelay(UUID revision) {
        Record record = records.get(revision);
        if (record == null) {
            return Duration.ZERO;
        }
        long since = nanos.getAsLong() - record.last();
        Duration left = backoff.delay(record.times()).minusNanos(since);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Records a start.
     *
     * @return the number of consecutive starts
     */
    int recordStart(UUID revision) {
        records.values().removeIf(this::isStable);
        return records.compute(revision, (_, before) -> new Record(before == null || isStable(before) ? 1 : before.times() + 1,
                nanos.getAsLong())).times();
    }

    /** Returns the number of entries. */
    int size() {
        return records.size();
    }

    private boolean isStable(Record before) {
        return nanos.getAsLong() - before.last() > STABLE_AFTER.plus(backoff.max()).toNanos();
    }
}
