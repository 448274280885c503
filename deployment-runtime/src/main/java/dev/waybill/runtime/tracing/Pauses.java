package dev.waybill.runtime.tracing;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a batch is sent again: about twice as long each time, and not the same for all runtimes that lost the
 * same store.
 */
final class Pauses {

    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 30_000;
    /** The longest that a store may tell us to stay away. */
    private static final Duration LONGEST_ASKED = Duration.ofMinutes(5);

    private Pauses() {
    }

    /** @param attempt how often it has failed, 1 or more */
    static Duration after(int attempt, Duration asked, RandomGenerator random) {
        long most = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(attempt - 1, 20));
        Duration ours = Duration.ofMillis(random.nextLong(most / 2, most + 1));
        Duration theirs = asked.compareTo(LONGEST_ASKED) < 0 ? asked : LONGEST_ASKED;
        return ours.compareTo(theirs) < 0 ? theirs : ours;
    }
}
