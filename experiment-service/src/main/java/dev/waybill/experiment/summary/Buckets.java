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

    /** One bucket, number 0, with all times. */
    public static final Buckets ONE = new Buckets(-(HOUR << 30), HOUR << 31);

    public Buckets {
        if (origin % HOUR != 0 || width % HOUR != 0) {
            throw new IllegalArgumentException("buckets must consist of whole hours");
        }
    }

    /** Returns the bucket that contains the hour. */
    long index(Instant hour) {
        return Math.floorDiv(hour.getEpochSecond() - origin, width);
    }
}
