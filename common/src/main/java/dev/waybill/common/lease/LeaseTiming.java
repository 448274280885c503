package dev.waybill.common.lease;

import java.time.Duration;

/**
 * How long a lease lasts and how often it is renewed.
 *
 * @param length how long a row stays with a worker that is not heard of any more
 * @param renewal the pause between renewals, and so how soon a worker notices that its row was taken away; several fit into
 *        the length, so that one that fails does not lose the lease
 */
public record LeaseTiming(Duration length, Duration renewal) {

    private static final int RENEWALS_IN_LENGTH = 3;

    public LeaseTiming {
        if (renewal.isNegative() || renewal.isZero() || renewal.multipliedBy(RENEWALS_IN_LENGTH).compareTo(length) > 0) {
            throw new IllegalArgumentException("a lease of " + length + " must be renewed at least " + RENEWALS_IN_LENGTH
                    + " times in its length, not every " + renewal);
        }
    }

    /** Renewed three times in its length. */
    public static LeaseTiming of(Duration length) {
        return new LeaseTiming(length, length.dividedBy(RENEWALS_IN_LENGTH));
    }

    /** How long a renewal may be tried before the lease counts as lost: in time for the last one to have been good. */
    Duration patience() {
        return length.minus(renewal).multipliedBy(3).dividedBy(4);
    }
}
