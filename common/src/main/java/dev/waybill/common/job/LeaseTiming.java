package dev.waybill.common.job;

import java.time.Duration;

/**
 * Duration and renewal interval of a lease.
 *
 * @param length time after which the row of an unresponsive worker can be claimed by another worker
 * @param renewal interval between renewals, and the maximum time until a worker notices that it lost the row; a third of the
 *        length at most, so that one failed renewal does not lose the lease
 */
public record LeaseTiming(Duration length, Duration renewal) {

    private static final int RENEWALS_IN_LENGTH = 3;
    private static final int MAX_RENEWALS_OF_SHORT_LEASE = 5;

    public LeaseTiming {
        if (renewal.isNegative() || renewal.isZero() || renewal.multipliedBy(RENEWALS_IN_LENGTH).compareTo(length) > 0) {
            throw new IllegalArgumentException("a lease of " + length + " must be renewed at least " + RENEWALS_IN_LENGTH
                    + " times in its length, not every " + renewal);
        }
    }

    /** Returns a timing that renews the lease after {@code renewal}, or five times in the length of a short lease. */
    public static LeaseTiming of(Duration length, Duration renewal) {
        Duration max = length.dividedBy(MAX_RENEWALS_OF_SHORT_LEASE);
        return new LeaseTiming(length, renewal.compareTo(max) < 0 ? renewal : max);
    }

    /** Returns how long a renewal is retried before the lease counts as lost; ends before the previous renewal expires. */
    Duration renewalTimeout() {
        return length.minus(renewal).multipliedBy(3).dividedBy(4);
    }
}
