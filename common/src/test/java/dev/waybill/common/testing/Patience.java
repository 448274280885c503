package dev.waybill.common.testing;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for asynchronous conditions. The limit only ends tests whose condition is never met; it is not a performance
 * requirement and fits the slowest test machine.
 */
public final class Patience {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private Patience() {
    }

    /** Like {@link Awaitility#await()}, with this timeout. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL);
    }
}
