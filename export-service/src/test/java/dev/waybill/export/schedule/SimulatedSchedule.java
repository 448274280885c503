package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.schedule.Schedule.Window;
import dev.waybill.export.schedule.ScheduleRules.Action;
import dev.waybill.export.schedule.ScheduleRules.Context;

/**
 * Simulates a schedule's row, the database clock and replicas at random: downtime of days, replicas that freeze or crash while
 * they hold the row, clock changes, slow exports and lapsed plans.
 */
final class SimulatedSchedule {

    private final Random random;
    private final ScheduleRules rules;
    private final List<Made> made = new ArrayList<>();
    private Schedule row;
    private Instant clock;
    private Instant furthest;
    private long stepsUntilFinished;
    private boolean entitled = true;
    private @Nullable Window heldWindow;
    private Instant heldAt = Instant.EPOCH;

    SimulatedSchedule(Random random, Instant start, int hours, Duration delay) {
        this.random = random;
        this.rules = new ScheduleRules(delay);
        this.row = new Schedule(new UUID(1, 1), new UUID(1, 2), start, hours, 1, 1);
        // Some start in the future, some have many missed windows.
        this.clock = start.plus(random.nextInt(-48, 24 * 14), ChronoUnit.HOURS).plus(random.nextInt(3600), ChronoUnit.SECONDS);
        this.furthest = clock;
    }

    /** An export with its creation time and whether the previous one was unfinished. */
    record Made(Window window, Instant at, boolean unfinishedBefore) {
    }

    Instant start() {
        return row.startTime();
    }

    int hours() {
        return row.intervalHours();
    }

    List<Made> made() {
        return made;
    }

    /** Performs the given number of random events. */
    void live(int steps) {
        for (int i = 0; i < steps; i++) {
            timePasses();
            replicaComesBy();
        }
    }

    /** Runs without faults until no window is due; returns the latest time of the clock. */
    Instant catchUp() {
        letGo(random.nextBoolean());
        entitled = true;
        clock = later(clock, furthest);
        furthest = clock;
        stepsUntilFinished = 0;
        while (rules.next(row, seen()) instanceof Action.Spawn(Window window)) {
            heldWindow = window;
            heldAt = clock;
            letGo(true);
            stepsUntilFinished = 0;
        }
        return furthest;
    }

    private void timePasses() {
        stepsUntilFinished = Math.max(0, stepsUntilFinished - 1);
        clock = switch (random.nextInt(10)) {
            // Downtime of all replicas.
            case 0 -> clock.plus(random.nextInt(1, 5 * 24), ChronoUnit.HOURS);
            // The clock was adjusted.
            case 1 -> clock.plus(1, ChronoUnit.HOURS);
            case 2 -> clock.minus(1, ChronoUnit.HOURS);
            case 3 -> clock.minus(random.nextInt(100_000), ChronoUnit.SECONDS);
            default -> clock.plus(random.nextInt(7200), ChronoUnit.SECONDS);
        };
        furthest = later(clock, furthest);
        entitled = random.nextInt(8) > 0;
    }

    private void replicaComesBy() {
        if (heldWindow != null) {
            // Another replica holds the row: this one skips it, and the other one continues or crashes.
            if (random.nextBoolean()) {
                letGo(random.nextBoolean());
            }
            return;
        }
        if (rules.next(row, seen()) instanceof Action.Spawn(Window window)) {
            heldWindow = window;
            heldAt = clock;
            if (random.nextInt(4) > 0) {
                letGo(random.nextInt(6) > 0);
            }
        }
    }

    private Context seen() {
        return new Context(clock, stepsUntilFinished > 0, entitled, true, List.of());
    }

    // The changes made under the row's lock are atomic.
    private void letGo(boolean committed) {
        Window window = heldWindow;
        heldWindow = null;
        if (window != null && committed) {
            made.add(new Made(window, heldAt, stepsUntilFinished > 0));
            row = new Schedule(row.tenantId(), row.id(), row.startTime(), row.intervalHours(), row.nextWindowNumber() + 1, 1);
            stepsUntilFinished = random.nextInt(5);
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
