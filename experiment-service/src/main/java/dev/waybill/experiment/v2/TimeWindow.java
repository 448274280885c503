package dev.waybill.experiment.v2;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/**
 * Range of start times of a query, by default the last day. The cursor contains the range of the first page, because
 * the default range moves with the clock between pages.
 *
 * @param cursor the cursor of the query within the range; null for the first page
 */
record TimeWindow(Instant from, Instant to, @Nullable String cursor) {

    private static final Duration DEFAULT_RANGE = Duration.ofDays(1);
    private static final Pattern CURSOR = Pattern.compile("(-?[0-9]{1,17})_(-?[0-9]{1,17})_(.+)");

    /**
     * Reads the range of a request.
     *
     * @throws ProblemException 422 if the cursor was not created by {@link #next}
     */
    static TimeWindow of(@Nullable Instant from, @Nullable Instant to, @Nullable String cursor, Clock clock) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        if (cursor == null) {
            return new TimeWindow(from == null ? now.minus(DEFAULT_RANGE) : from, to == null ? now : to, null);
        }
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches()) {
            throw invalidCursor();
        }
        return new TimeWindow(from == null ? time(parts.group(1)) : from, to == null ? time(parts.group(2)) : to,
                parts.group(3));
    }

    /** Returns the cursor of the next page in this range; null if there is none. */
    @Nullable
    String next(@Nullable String next) {
        return next == null ? null : micros(from) + "_" + micros(to) + "_" + next;
    }

    static ProblemException invalidCursor() {
        return ProblemException.invalid(Violation.of("cursor",
                "does not belong to this query; send next_cursor unchanged, and change no other member", "invalid"));
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static Instant time(String micros) {
        return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }
}
