package dev.waybill.common.testing;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for what happens in its own time. The limit is no statement about how fast anything is: it is there so that a test of
 * something that never happens ends, on the slowest machine that the tests are run on.
 */
public final class Patience {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private Patience() {
    }

    /** As {@link Awaitility#await()}, with that limit. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT).pollInterval(LOOK_AGAIN);
    }
}
