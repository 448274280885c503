package dev.waybill.experiment.query;

import static java.time.temporal.ChronoUnit.MICROS;

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
 * excluded that cannot be read. Large days are searched in parts, whose start times exclude row groups (docs/decisions/0213).
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
    /** Size of the first part of a large day; a common word needs a tenth of a second for it. */
    static final long PART_BYTES = 16L << 20;
    private static final long MAX_PART_BYTES = 1L << 40;

    private final NavigableMap<LocalDate, LakeDay> days = new TreeMap<>();
    private final @Nullable Instant from;
    private final @Nullable Instant to;
    private final boolean descending;
    private final long maxBytes;
    private final boolean dependsOnLatency;
    private final long minPartBytes;
    private long partBytes;
    private int maxDays = 1;
    private int excludedDays;

    /**
     * @param maxBytes maximum size of the files of a range with more than one day
     * @param partBytes size of the first part of a day that has more than two of them
     */
    LakePlan(RunQuery query, List<LakeDay> valid, long maxBytes, long partBytes) {
        this.from = query.conditions().from();
        this.to = query.conditions().to();
        this.descending = query.descending();
        this.maxBytes = maxBytes;
        this.minPartBytes = partBytes;
        this.partBytes = partBytes;
        this.dependsOnLatency = !LakeSearch.condition(query.conditions(), true)
                .equals(LakeSearch.condition(query.conditions(), false));
        valid.forEach(day -> days.put(day.day(), day));
    }

    /** Returns whether no day is in the lake. */
    boolean isEmpty() {
        return days.isEmpty();
    }

    /**
     * Returns the days, or the part of a day, to search next if the run after {@code position}, in page order, can be in the
     * lake.
     *
     * @param affordableBytes maximum size of a range with more than one day, and of a part that is not the first one
     */
    Optional<LakeRange> rangeAfter(Optional<RunKey> position, long affordableBytes) {
        return next(position).flatMap(time -> Optional.ofNullable(days.get(day(time))).map(first -> {
            DayRest rest = rest(first, time);
            long part = Math.max(minPartBytes, Math.min(partBytes, affordableBytes));
            return excludedDays > 0 || isLast(rest, part, affordableBytes) ? days(first, rest, affordableBytes)
                    : part(first, rest, part);
        }));
    }

    // A day of less than two parts is never divided.
    private boolean isLast(DayRest rest, long part, long affordableBytes) {
        return rest.bytes() / 2 <= part && (rest.bytes() <= affordableBytes || rest.bytes() / 2 <= minPartBytes);
    }

    /** Returns the part of a day that is not searched yet; its runs are assumed to be distributed evenly. */
    private DayRest rest(LakeDay day, Instant next) {
        Instant first = later(day.firstStart(), descending ? from : next);
        Instant last = earlier(day.lastStart(), descending ? next : to);
        double micros = MICROS.between(day.firstStart(), day.lastStart()) + 1;
        double rest = Math.max(0, MICROS.between(first, last) + 1);
        return new DayRest(first, last, rest, Math.round(day.bytes() * Math.min(1, rest / micros)));
    }

    private LakeRange part(LakeDay day, DayRest rest, long bytes) {
        Duration length = Duration.of((long) Math.ceil(rest.micros() * bytes / rest.bytes()), MICROS);
        if (descending) {
            Instant start = rest.last().plus(MICROSECOND).minus(length);
            return new LakeRange(List.of(day), start, earlier(day.end(), to), new RunKey(start, FIRST_ID), bytes);
        }
        Instant end = rest.first().plus(length);
        return new LakeRange(List.of(day), later(day.start(), from), end, new RunKey(end.minus(MICROSECOND), LAST_ID), bytes);
    }

    private LakeRange days(LakeDay first, DayRest rest, long affordableBytes) {
        List<LakeDay> range = daysFrom(first, rest.bytes(), Math.max(maxDays, excludedDays), affordableBytes);
        long bytes = rest.bytes() - first.bytes() + range.stream().mapToLong(LakeDay::bytes).sum();
        if (descending) {
            Collections.reverse(range);
        }
        Instant start = range.getFirst().start();
        Instant end = range.getLast().end();
        return new LakeRange(range, later(start, from), earlier(end, to),
                descending ? new RunKey(start, FIRST_ID) : new RunKey(end.minus(MICROSECOND), LAST_ID), bytes);
    }

    private List<LakeDay> daysFrom(LakeDay first, long bytesOfFirst, int max, long affordableBytes) {
        List<LakeDay> range = new ArrayList<>();
        long bytes = bytesOfFirst - first.bytes();
        // For days without the column, the statement would not use the statistics of the other days' latencies.
        for (LakeDay day = first; day != null && range.size() < max
                && (!dependsOnLatency || day.hasLatency() == first.hasLatency())
                && (range.isEmpty() || bytes + day.bytes() <= Math.min(maxBytes, affordableBytes)); day = days
                        .get(day.day().plusDays(descending ? -1 : 1))) {
            range.add(day);
            bytes += day.bytes();
        }
        return range;
    }

    /** Returns the next days, in page order, if the run after {@code position} can be in the lake. */
    List<LakeDay> daysAfter(Optional<RunKey> position) {
        return next(position).flatMap(time -> Optional.ofNullable(days.get(day(time))))
                .map(first -> daysFrom(first, first.bytes(), MAX_GROWTH, Long.MAX_VALUE)).orElse(List.of());
    }

    /**
     * Allows the next range to have several days instead of one or a part of it.
     *
     * @param count number of the next days that text indexes exclude nearly completely
     */
    void exclude(int count) {
        excludedDays = count;
    }

    private static Instant later(Instant time, @Nullable Instant other) {
        return other != null && other.isAfter(time) ? other : time;
    }

    private static Instant earlier(Instant time, @Nullable Instant other) {
        return other != null && other.isBefore(time) ? other : time;
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
     * Determines how large the next range may be. Several days follow only after a whole one, because other parts of a day may
     * have more runs of the sessions.
     *
     * @param range the range that was searched last
     * @param found number of runs in all ranges before
     * @param wanted number of runs of the page
     */
    void grow(LakeRange range, int found, int wanted) {
        int factor = Math.clamp(found == 0 ? MAX_GROWTH : Math.ceilDiv(wanted, found), MIN_GROWTH, MAX_GROWTH);
        partBytes = Math.min(MAX_PART_BYTES, factor * partBytes);
        if (!isPart(range)) {
            maxDays = Math.min(MAX_DAYS, factor * Math.max(maxDays, excludedDays));
        }
    }

    private boolean isPart(LakeRange range) {
        return descending ? range.end().startTime().isAfter(range.days().getFirst().start())
                : range.end().startTime().isBefore(range.days().getLast().end().minus(MICROSECOND));
    }

    /** Removes a day that cannot be read from the lake; of a range of several days, the next one has the first day only. */
    void failed(LakeRange range) {
        if (range.days().size() == 1) {
            days.remove(range.days().getFirst().day());
        }
        maxDays = 1;
        excludedDays = 0;
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

    /**
     * The part of a day that is not searched yet.
     *
     * @param last a time after which no run of it starts
     * @param bytes estimated size of its runs
     */
    private record DayRest(Instant first, Instant last, double micros, long bytes) {
    }
}
