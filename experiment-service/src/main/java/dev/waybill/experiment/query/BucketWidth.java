package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Widths of the time buckets of statistics. Buckets of a width are aligned to midnight UTC, weeks to Monday. */
enum BucketWidth {
    ONE_MINUTE("1m", 60),
    FIVE_MINUTES("5m", 5 * 60),
    FIFTEEN_MINUTES("15m", 15 * 60),
    THIRTY_MINUTES("30m", 30 * 60),
    ONE_HOUR("1h", 3_600),
    THREE_HOURS("3h", 3 * 3_600),
    SIX_HOURS("6h", 6 * 3_600),
    TWELVE_HOURS("12h", 12 * 3_600),
    ONE_DAY("1d", 86_400),
    SEVEN_DAYS("7d", 7 * 86_400),
    THIRTY_DAYS("30d", 30 * 86_400),
    YEAR("365d", 365 * 86_400);

    /** Monday, 2001-01-01T00:00:00Z. */
    static final long ORIGIN = 978_307_200;

    private final String wireName;
    private final long seconds;

    BucketWidth(String wireName, long seconds) {
        this.wireName = wireName;
        this.seconds = seconds;
    }

    static Optional<BucketWidth> of(String wireName) {
        return Arrays.stream(values()).filter(width -> width.wireName.equals(wireName)).findFirst();
    }

    /** Returns the smallest width that divides the range into at most {@code maxBuckets}. */
    static Optional<BucketWidth> smallest(Instant start, Instant end, int maxBuckets) {
        return Arrays.stream(values()).filter(width -> width.count(start, end) <= maxBuckets).findFirst();
    }

    static String wireNames() {
        return Arrays.stream(values()).map(BucketWidth::wireName).collect(Collectors.joining(", "));
    }

    String wireName() {
        return wireName;
    }

    long seconds() {
        return seconds;
    }

    /** Returns the number of buckets that overlap a range, which is half open and not empty. */
    long count(Instant start, Instant end) {
        return index(end.minusNanos(1)) - index(start) + 1;
    }

    /** Returns the index of the bucket that contains the time. */
    long index(Instant time) {
        return Math.floorDiv(time.getEpochSecond() - ORIGIN, seconds);
    }

    /** Returns the start of a bucket. */
    Instant start(long index) {
        return Instant.ofEpochSecond(ORIGIN + index * seconds);
    }
}
