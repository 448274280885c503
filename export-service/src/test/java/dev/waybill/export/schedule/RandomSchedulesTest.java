package dev.waybill.export.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * Random schedules with random faults of replicas: windows cover the time line exactly once, and none is exported before its
 * end plus the delay.
 */
class RandomSchedulesTest {

    private static final Logger LOG = Logger.getLogger(RandomSchedulesTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final int SCHEDULES = 10_000;

    // Daylight saving, leap years, ends of months and years; the second one is a microsecond before the next day.
    private static final List<Instant> CORNERS = List.of(
            Instant.parse("2026-03-29T00:30:00Z"), Instant.parse("2024-02-28T23:59:59.999999Z"),
            Instant.parse("2026-10-25T00:00:00Z"), Instant.parse("2027-12-31T20:15:00Z"),
            Instant.parse("2100-02-28T22:00:00Z"), Instant.parse("2016-12-31T23:59:59Z"),
            Instant.parse("1969-12-31T22:00:00Z"), Instant.parse("2026-04-30T23:00:00.000001Z"));

    private final Random random = new Random(SEED);

    @Test
    void windowsTileTheTimeLineExactlyOnce() {
        LOG.infof("-Dwaybill.test.seed=%s repeats this", SEED);
        for (int i = 0; i < SCHEDULES; i++) {
            Duration delay = random.nextBoolean() ? Duration.ofMinutes(10) : Duration.ofMinutes(random.nextInt(600));
            SimulatedSchedule schedule = new SimulatedSchedule(random, start(), 1 + random.nextInt(168), delay);
            schedule.live(20 + random.nextInt(60));

            Instant latest = schedule.catchUp();

            assertTiled(schedule, latest, delay, "schedule " + i + " of seed " + SEED);
        }
    }

    private Instant start() {
        return switch (random.nextInt(3)) {
            case 0 -> CORNERS.get(random.nextInt(CORNERS.size()));
            case 1 -> CORNERS.get(random.nextInt(CORNERS.size())).plus(random.nextInt(72), ChronoUnit.HOURS);
            default -> Instant.EPOCH.plus(random.nextLong(4_000_000_000_000_000L), ChronoUnit.MICROS);
        };
    }

    // Computed from plain numbers, independent of the service's code.
    private static void assertTiled(SimulatedSchedule schedule, Instant latest, Duration delay, String which) {
        long interval = schedule.hours() * 3_600_000_000L;
        long from = micros(schedule.start());
        List<SimulatedSchedule.Made> made = schedule.made();
        long due = Math.floorDiv(micros(latest) - delay.toMillis() * 1000 - from, interval);
        assertThat(made).as(which).hasSize(Math.toIntExact(Math.max(0, due)));
        for (int n = 1; n <= made.size(); n++) {
            SimulatedSchedule.Made one = made.get(n - 1);
            long to = from + interval;
            assertThat(one.window().number()).as(which).isEqualTo(n);
            assertThat(micros(one.window().startTime())).as(which).isEqualTo(from);
            assertThat(micros(one.window().endTime())).as(which).isEqualTo(to);
            assertThat(micros(one.at())).as(which).isGreaterThanOrEqualTo(to + delay.toMillis() * 1000);
            assertThat(one.unfinishedBefore()).as(which).isFalse();
            from = to;
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
