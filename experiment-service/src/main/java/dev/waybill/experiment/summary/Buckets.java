package dev.waybill.experiment.summary;

import java.time.Instant;

/**
 * Buckets of time by whole hours.
 *
 * @param origin start of bucket 0 in seconds, a whole hour
 * @param width width in seconds, whole hours
 */
public record Buckets(long origin, long width) {

    static final long HOUR = 3_600;
    static final long DAY = 24 * HOUR;

    /** One bucket, number 0, with all times. */
    public static final Buckets ONE = new Buckets(-(DAY << 26), DAY << 27);

    public Buckets {
        if (origin % HOUR != 0 || width % HOUR != 0) {
            throw new IllegalArgumentException("buckets must consist of whole hours");
        }
    }

    /** Returns whether each UTC day is in one bucket. */
    boolean consistOfDays() {
        return origin % DAY == 0 && width % DAY == 0;
    }

    /** Returns the bucket that contains the start of a summarized period. */
    long index(Instant start) {
        return Math.floorDiv(start.getEpochSecond() - origin, width);
    }
}
