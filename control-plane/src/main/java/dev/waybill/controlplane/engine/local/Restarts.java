package dev.waybill.controlplane.engine.local;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * When a revision that keeps ending may be started again: after twice as long each time, until it has stayed a while. Then it
 * is
 * as if it had never ended, so nothing more is remembered of it.
 */
final class Restarts {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration STAYED = Duration.ofMinutes(2);

    private final Duration longest;
    private final LongSupplier nanos;
    private final ConcurrentMap<UUID, Record> records = new ConcurrentHashMap<>();

    /** @param last when it was started last, in nanoseconds */
    private record Record(int times, long last) {
    }

    Restarts(Duration longest) {
        this(longest, System::nanoTime);
    }

    Restarts(Duration longest, LongSupplier nanos) {
        this.longest = longest;
        this.nanos = nanos;
    }

    /** How long it must wait still. */
    Duration pause(UUID revision) {
        Record record = records.get(revision);
        if (record == null) {
            return Duration.ZERO;
        }
        long since = nanos.getAsLong() - record.last();
        long millis = Math.min(longest.toMillis(), FIRST.toMillis() << Math.min(20, record.times() - 1));
        Duration left = Duration.ofMillis(millis).minusNanos(since);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** @return the how manieth time in a row it is */
    int started(UUID revision) {
        records.values().removeIf(this::hasStayed);
        return records.compute(revision, (_, before) -> new Record(before == null || hasStayed(before) ? 1 : before.times() + 1,
                nanos.getAsLong())).times();
    }

    /** Of how many revisions something is remembered. */
    int size() {
        return records.size();
    }

    private boolean hasStayed(Record before) {
        return nanos.getAsLong() - before.last() > STAYED.plus(longest).toNanos();
    }
}
