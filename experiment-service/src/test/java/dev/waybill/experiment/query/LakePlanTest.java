package dev.waybill.experiment.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.experiment.lake.LakeDay;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.run.RunField;

class LakePlanTest {

    private static final UUID FIRST_ID = new UUID(0, 0);
    private static final UUID LAST_ID = new UUID(-1, -1);

    @Test
    void descendingSearchBeginsWithRunsAfterTheNewestDay() {
        LakePlan plan = plan(true, null, null, 1, 2, 4);

        assertThat(next(plan, Optional.empty())).isEmpty();
        assertThat(plan.endBeforeLake(Optional.empty())).contains(new RunKey(time("2026-03-05T00:00:00Z"), FIRST_ID));
        LakeRange range = next(plan, plan.endBeforeLake(Optional.empty())).orElseThrow();
        assertThat(range.days()).extracting(LakeDay::day).containsExactly(LocalDate.of(2026, 3, 4));
        assertThat(next(plan, Optional.of(range.end()))).isEmpty();
        plan.grow(range, 0, 10);
        Optional<RunKey> gap = plan.endBeforeLake(Optional.of(range.end()));
        assertThat(gap).contains(new RunKey(time("2026-03-03T00:00:00Z"), FIRST_ID));
        LakeRange last = next(plan, gap).orElseThrow();
        assertThat(last.days()).extracting(LakeDay::day).containsExactly(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 2));
        assertThat(last.end()).isEqualTo(new RunKey(time("2026-03-01T00:00:00Z"), FIRST_ID));
        assertThat(plan.endBeforeLake(Optional.of(last.end()))).isEmpty();
    }

    @Test
    void ascendingSearchBeginsWithRunsBeforeTheOldestDay() {
        LakePlan plan = plan(false, null, null, 1, 2);

        assertThat(next(plan, Optional.empty())).isEmpty();
        Optional<RunKey> before = plan.endBeforeLake(Optional.empty());
        assertThat(before).contains(new RunKey(time("2026-02-28T23:59:59.999999Z"), LAST_ID));
        LakeRange first = next(plan, before).orElseThrow();
        assertThat(first.end()).isEqualTo(new RunKey(time("2026-03-01T23:59:59.999999Z"), LAST_ID));
        assertThat(next(plan, Optional.of(first.end())).orElseThrow().days()).extracting(LakeDay::day)
                .containsExactly(LocalDate.of(2026, 3, 2));
    }

    @Test
    void rangesAreRestrictedToTheQuery() {
        Instant from = time("2026-03-01T06:00:00Z");
        Instant to = time("2026-03-02T00:00:00Z");

        LakeRange range = next(plan(true, from, to, 1, 2), Optional.empty()).orElseThrow();

        assertThat(range.days()).hasSize(1);
        assertThat(range.from()).isEqualTo(from);
        assertThat(range.to()).isEqualTo(to);
    }

    @Test
    void rangesGrowUpToTheSizeOfTheirFiles() {
        LakePlan plan = plan(false, time("2026-03-01T00:00:00Z"), null, IntStream.rangeClosed(1, 20).toArray());
        Optional<RunKey> position = Optional.empty();

        for (int days : List.of(1, 5, 5, 5, 4)) {
            LakeRange range = next(plan, position).orElseThrow();
            assertThat(range.days()).hasSize(days);
            assertThat(range.bytes()).isEqualTo(10L * days);
            position = Optional.of(range.end());
            plan.grow(range, 0, 10);
        }
    }

    @Test
    void rangesGrowWithTheNumberOfRunsThatAreMissing() {
        LakePlan plan = plan(false, time("2026-03-01T00:00:00Z"), null, IntStream.rangeClosed(1, 20).toArray());
        LakeRange range = next(plan, Optional.empty()).orElseThrow();
        Optional<RunKey> first = Optional.of(range.end());

        plan.grow(range, 4, 10);
        assertThat(next(plan, first).orElseThrow().days()).hasSize(3);
        assertThat(plan.rangeAfter(first, 20).orElseThrow().days()).hasSize(2);
        assertThat(plan.rangeAfter(first, 1).orElseThrow().days()).hasSize(1);
        plan.grow(range, 9, 10);
        assertThat(next(plan, first).orElseThrow().days()).hasSize(5);
    }

    @Test
    void daysOfRangesThatFailAreSearchedOneByOne() {
        LakePlan plan = plan(false, time("2026-03-01T00:00:00Z"), null, 1, 2, 3);
        plan.grow(next(plan, Optional.empty()).orElseThrow(), 0, 10);

        plan.failed(next(plan, Optional.empty()).orElseThrow());

        assertThat(next(plan, Optional.empty()).orElseThrow().days()).extracting(LakeDay::day)
                .containsExactly(LocalDate.of(2026, 3, 1));
    }

    private static Optional<LakeRange> next(LakePlan plan, Optional<RunKey> position) {
        return plan.rangeAfter(position, Long.MAX_VALUE);
    }

    @Test
    void excludedDaysAreReadFromPostgreSql() {
        LakePlan plan = plan(false, time("2026-03-01T00:00:00Z"), null, 1, 2);

        plan.failed(next(plan, Optional.empty()).orElseThrow());

        assertThat(next(plan, Optional.empty())).isEmpty();
        assertThat(plan.endBeforeLake(Optional.empty())).contains(new RunKey(time("2026-03-01T23:59:59.999999Z"), LAST_ID));
    }

    @Test
    void searchOfLatenciesSeparatesDaysWithoutThem() {
        Instant from = time("2026-03-01T00:00:00Z");
        List<LakeDay> days = IntStream.rangeClosed(1, 4)
                .mapToObj(day -> day(day, new LakeFile("key" + day, 10, 0, day > 2)))
                .toList();
        LakePlan latencies = new LakePlan(query(false, from, null, List.of(FilterParser.parse("gt(latency, \"5s\")"))), days,
                50, 50);
        LakePlan names = new LakePlan(query(false, from, null, List.of(FilterParser.parse("eq(name, \"a\")"))), days, 50,
                50);
        latencies.grow(next(latencies, Optional.empty()).orElseThrow(), 0, 10);
        names.grow(next(names, Optional.empty()).orElseThrow(), 0, 10);

        LakeRange range = next(latencies, Optional.empty()).orElseThrow();

        assertThat(range.days()).isEqualTo(days.subList(0, 2));
        assertThat(next(latencies, Optional.of(range.end())).orElseThrow().days()).isEqualTo(days.subList(2, 4));
        assertThat(next(names, Optional.empty()).orElseThrow().days()).isEqualTo(days);
    }

    @Test
    void largeDayIsSearchedInPartsThatGrow() {
        LakePlan plan = largeDays(true, null, time("2026-03-02T18:00:00.000001Z"));

        LakeRange first = next(plan, Optional.empty()).orElseThrow();
        assertThat(first.from()).isEqualTo(time("2026-03-02T17:00:00Z"));
        assertThat(first.to()).isEqualTo(time("2026-03-02T18:00:00.000001Z"));
        assertThat(first.end()).isEqualTo(new RunKey(first.from(), FIRST_ID));
        assertThat(first.bytes()).isEqualTo(100);
        plan.grow(first, 9, 10);
        LakeRange second = next(plan, Optional.of(first.end())).orElseThrow();
        assertThat(second.from()).isEqualTo(time("2026-03-02T15:00:00Z"));
        assertThat(second.bytes()).isEqualTo(200);
        assertThat(plan.rangeAfter(Optional.of(first.end()), 1).orElseThrow().bytes()).isEqualTo(100);
        plan.grow(second, 9, 10);
        LakeRange rest = next(plan, Optional.of(second.end())).orElseThrow();
        assertThat(rest.from()).isEqualTo(time("2026-03-02T00:00:00Z"));
        assertThat(rest.bytes()).isEqualTo(700);
        assertThat(next(plan, Optional.of(rest.end())).orElseThrow().days()).extracting(LakeDay::day)
                .containsExactly(LocalDate.of(2026, 3, 1));
    }

    @Test
    void partsOfLargeDaysFollowInAscendingOrder() {
        LakePlan plan = largeDays(false, time("2026-03-01T00:00:00Z"), null);

        LakeRange first = next(plan, Optional.empty()).orElseThrow();
        assertThat(first.from()).isEqualTo(time("2026-03-01T00:00:00Z"));
        assertThat(first.to()).isEqualTo(time("2026-03-01T09:00:00Z"));
        assertThat(first.end()).isEqualTo(new RunKey(time("2026-03-01T08:59:59.999999Z"), LAST_ID));
        plan.grow(first, 9, 10);
        LakeRange second = next(plan, Optional.of(first.end())).orElseThrow();
        assertThat(second.to()).isEqualTo(time("2026-03-01T11:00:00Z"));
        plan.grow(second, 9, 10);
        LakeRange rest = next(plan, Optional.of(second.end())).orElseThrow();
        assertThat(rest.to()).isEqualTo(time("2026-03-02T00:00:00Z"));
        assertThat(next(plan, Optional.of(rest.end())).orElseThrow().to()).isEqualTo(time("2026-03-02T12:00:00Z"));
    }

    @Test
    void severalDaysFollowOnlyAWholeDay() {
        LakePlan plan = largeDays(true, null, time("2026-03-03T00:00:00Z"));
        LakeRange part = next(plan, Optional.empty()).orElseThrow();

        plan.grow(part, 0, 10);
        LakeRange rest = next(plan, Optional.of(part.end())).orElseThrow();
        assertThat(rest.days()).hasSize(1);
        assertThat(rest.from()).isEqualTo(time("2026-03-02T00:00:00Z"));
        plan.grow(rest, 0, 10);

        assertThat(next(plan, Optional.of(rest.end())).orElseThrow().days()).hasSize(2);
    }

    @Test
    void daysThatIndexesExcludeAreSearchedAtOnce() {
        LakePlan plan = largeDays(true, null, time("2026-03-03T00:00:00Z"));
        assertThat(plan.daysAfter(Optional.empty())).extracting(day -> day.day().getDayOfMonth()).containsExactly(2, 1, 28);

        plan.exclude(2);

        LakeRange range = next(plan, Optional.empty()).orElseThrow();
        assertThat(range.days()).extracting(day -> day.day().getDayOfMonth()).containsExactly(1, 2);
        assertThat(range.from()).isEqualTo(time("2026-03-01T00:00:00Z"));
        assertThat(plan.daysAfter(Optional.of(range.end()))).hasSize(1);
    }

    @Test
    void dayAfterExcludedOnesIsSearchedInParts() {
        LakePlan plan = largeDays(true, null, time("2026-03-03T00:00:00Z"));
        plan.exclude(1);
        LakeRange excluded = next(plan, Optional.empty()).orElseThrow();
        assertThat(excluded.bytes()).isEqualTo(1_000);
        plan.grow(excluded, 9, 10);

        plan.exclude(0);

        assertThat(next(plan, Optional.of(excluded.end())).orElseThrow().bytes()).isEqualTo(200);
    }

    @Test
    void excludedDaysThatFailAreSearchedOneByOne() {
        LakePlan plan = largeDays(true, null, time("2026-03-03T00:00:00Z"));
        plan.exclude(2);

        plan.failed(next(plan, Optional.empty()).orElseThrow());

        assertThat(next(plan, Optional.empty()).orElseThrow().days()).hasSize(1);
    }

    @Test
    void lastPartIsNotLargerThanAffordable() {
        LakePlan plan = largeDays(true, null, time("2026-03-03T00:00:00Z"));
        plan.grow(next(plan, Optional.empty()).orElseThrow(), 0, 10);

        assertThat(plan.rangeAfter(Optional.empty(), 999).orElseThrow().bytes()).isEqualTo(999);
        assertThat(plan.rangeAfter(Optional.empty(), 600).orElseThrow().bytes()).isEqualTo(600);
        assertThat(plan.rangeAfter(Optional.empty(), 1_000).orElseThrow().bytes()).isEqualTo(1_000);
    }

    // Three days with 1,000 bytes each, whose runs start between 8 and 18 o'clock, so a part of 100 bytes has an hour.
    private static LakePlan largeDays(boolean descending, @Nullable Instant from, @Nullable Instant to) {
        List<LakeDay> days = IntStream.of(-1, 0, 1).mapToObj(day -> {
            LocalDate date = LocalDate.of(2026, 3, 1).plusDays(day);
            return new LakeDay(date, time(date + "T08:00:00Z"), time(date + "T18:00:00Z").minusNanos(1_000),
                    List.of(new LakeFile("key" + day, 1_000)));
        }).toList();
        return new LakePlan(query(descending, from, to, List.of()), days, 10_000, 100);
    }

    // Each day has a file of 10 bytes, and a range at most 50.
    private static LakePlan plan(boolean descending, @Nullable Instant from, @Nullable Instant to, int... days) {
        return new LakePlan(query(descending, from, to, List.of()),
                IntStream.of(days).mapToObj(day -> day(day, new LakeFile("key" + day, 10))).toList(), 50, 50);
    }

    private static RunQuery query(boolean descending, @Nullable Instant from, @Nullable Instant to, List<Filter> filters) {
        return new RunQuery(
                new RunQueryParser.Conditions(List.of(FIRST_ID), List.of(), null, null, List.of(), null, null,
                        null, from, to, filters, null, null),
                descending, 10, EnumSet.of(RunField.ID), Optional.empty());
    }

    private static LakeDay day(int day, LakeFile file) {
        return new LakeDay(LocalDate.of(2026, 3, day), List.of(file));
    }

    private static Instant time(String time) {
        return Instant.parse(time);
    }
}
