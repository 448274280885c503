package dev.waybill.experiment.query;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.lake.LakeDay;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;

/**
 * Divides the start times of one search between the lake and PostgreSQL. The lake has the valid days, from which days are
 * excluded that cannot be read.
 */
final class LakePlan {

    private static final Duration MICROSECOND = Duration.ofNanos(1_000);
    // PostgreSQL orders ids by their bytes.
    private static final UUID FIRST_ID = new UUID(0, 0);
    private static final UUID LAST_ID = new UUID(-1, -1);
    private static final int MAX_DAYS = 64;
    // A statement and its confirmation cost more than the columns of several days.
    private static final int MIN_GROWTH = 2;
    private static final int MAX_GROWTH = 16;

    private final NavigableMap<LocalDate, LakeDay> days = new TreeMap<>();
    private final @Nullable Instant from;
    private final @Nullable Instant to;
    private final boolean descending;
    private final long maxBytes;
    private final boolean dependsOnLatency;
    private int maxDays = 1;

    /** @param maxBytes maximum size of the files of a range with more than one day */
    LakePlan(RunQuery query, List<LakeDay> valid, long maxBytes) {
        this.from = query.conditions().from();
        this.to = query.conditions().to();
        this.descending = query.descending();
        this.maxBytes = maxBytes;
        this.dependsOnLatency = !LakeSearch.condition(query.conditions(), true)
                .equals(LakeSearch.condition(query.conditions(), false));
        valid.forEach(day -> days.put(day.day(), day));
    }

    /** Returns whether no day is in the lake. */
    boolean isEmpty() {
        return days.isEmpty();
    }

    /**
     * Returns the days to search next if the run after {@code position}, in page order, can be in the lake.
     *
     * @param affordableBytes maximum size of the files of a range with more than one day
     */
    Optional<LakeRange> rangeAfter(Optional<RunKey> position, long affordableBytes) {
        LakeDay first = next(position).flatMap(time -> Optional.ofNullable(days.get(day(time)))).orElse(null);
        if (first == null) {
            return Optional.empty();
        }
        List<LakeDay> range = new ArrayList<>();
        long bytes = 0;
        // For days without the column, the statement would not use the statistics of the other days' latencies.
        for (LakeDay day = first; day != null && range.size() < maxDays
                && (!dependsOnLatency || day.hasLatency() == first.hasLatency())
                && (range.isEmpty() || bytes + day.bytes() <= Math.min(maxBytes, affordableBytes)); day = days
                        .get(day.day().plusDays(descending ? -1 : 1))) {
            range.add(day);
            bytes += day.bytes();
        }
        if (descending) {
            Collections.reverse(range);
        }
        Instant start = range.getFirst().start();
        Instant end = range.getLast().end();
        return Optional.of(new LakeRange(range, from != null && from.isAfter(start) ? from : start,
                to != null && to.isBefore(end) ? to : end,
                descending ? new RunKey(start, FIRST_ID) : new RunKey(end.minus(MICROSECOND), LAST_ID)));
    }

    /** Returns the last key before the next day of the lake, in page order; empty if no day follows. */
    Optional<RunKey> endBeforeLake(Optional<RunKey> position) {
        Map.Entry<LocalDate, LakeDay> following = following(next(position).map(LakePlan::day).orElse(null));
        return Optional.ofNullable(following).map(Map.Entry::getValue).map(lake -> descending
                ? new RunKey(lake.end(), FIRST_ID)
                : new RunKey(lake.start().minus(MICROSECOND), LAST_ID));
    }

    private Map.@Nullable Entry<LocalDate, LakeDay> following(@Nullable LocalDate day) {
        if (day == null) {
            return descending ? days.lastEntry() : days.firstEntry();
        }
        return descending ? days.floorEntry(day) : days.ceilingEntry(day);
    }

    /**
     * Determines how many days the next range may have.
     *
     * @param found number of runs in all ranges before
     * @param wanted number of runs of the page
     */
    void grow(int found, int wanted) {
        int factor = Math.clamp(found == 0 ? MAX_GROWTH : Math.ceilDiv(wanted, found), MIN_GROWTH, MAX_GROWTH);
        maxDays = Math.min(MAX_DAYS, factor * maxDays);
    }

    /** Removes a day that cannot be read from the lake; of a range of several days, the next one has the first day only. */
    void failed(LakeRange range) {
        if (range.days().size() == 1) {
            days.remove(range.days().getFirst().day());
        }
        maxDays = 1;
    }

    /** Returns the first start time that a run after {@code position} can have; empty if there is no limit. */
    private Optional<Instant> next(Optional<RunKey> position) {
        if (position.isEmpty()) {
            return Optional.ofNullable(descending ? to : from).map(bound -> descending ? bound.minus(MICROSECOND) : bound);
        }
        RunKey key = position.get();
        if (descending) {
            return Optional.of(key.id().equals(FIRST_ID) ? key.startTime().minus(MICROSECOND) : key.startTime());
        }
        return Optional.of(key.id().equals(LAST_ID) ? key.startTime().plus(MICROSECOND) : key.startTime());
    }

    private static LocalDate day(Instant time) {
        return time.atOffset(ZoneOffset.UTC).toLocalDate();
    }
}
