package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A schedule's row, its database's clock, and replicas that come by when they like: some are down for days, one may freeze
 * or die while it holds the row, the clock is set forward and back, exports take their time, and plans lapse.
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
        this.rules = new ScheduleRules(delay, 5);
        this.row = new Schedule(new UUID(1, 1), new UUID(1, 2), start, hours, 1, 1);
        // Some begin in the future, some have much to catch up with.
        this.clock = start.plus(random.nextInt(-48, 24 * 14), ChronoUnit.HOURS).plus(random.nextInt(3600), ChronoUnit.SECONDS);
        this.furthest = clock;
    }

    /** An export that was made, when, and whether the one before was still under way. */
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

    /** So many things happen. */
    void live(int steps) {
        for (int i = 0; i < steps; i++) {
            timePasses();
            replicaComesBy();
        }
    }

    /** Nothing bad happens any more, until nothing is due; answers the latest time that the clock has shown. */
    Instant catchUp() {
        letGo(random.nextBoolean());
        entitled = true;
        clock = later(clock, furthest);
        furthest = clock;
        stepsUntilFinished = 0;
        while (rules.next(row, seen()) instanceof NextStep.Spawn(Window window)) {
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
            // Everything was down.
            case 0 -> clock.plus(random.nextInt(1, 5 * 24), ChronoUnit.HOURS);
            // Somebody, or daylight saving, set the clock.
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
            // Another one holds the row: this one goes its way, and that one perhaps goes on or dies.
            if (random.nextBoolean()) {
                letGo(random.nextBoolean());
            }
            return;
        }
        if (rules.next(row, seen()) instanceof NextStep.Spawn(Window window)) {
            heldWindow = window;
            heldAt = clock;
            if (random.nextInt(4) > 0) {
                letGo(random.nextInt(6) > 0);
            }
        }
    }

    private Circumstances seen() {
        return new Circumstances(clock, stepsUntilFinished > 0, entitled, true, List.of());
    }

    // What was done under the row's lock becomes true as a whole, or not at all.
    private void letGo(boolean committed) {
        Window window = heldWindow;
        heldWindow = null;
        if (window != null && committed) {
            made.add(new Made(window, heldAt, stepsUntilFinished > 0));
            row = new Schedule(row.tenantId(), row.id(), row.startTime(), row.intervalHours(), row.nextNumber() + 1, 1);
            stepsUntilFinished = random.nextInt(5);
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
