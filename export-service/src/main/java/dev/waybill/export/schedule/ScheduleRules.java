package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.schedule.Schedule.Window;
import dev.waybill.export.storage.StorageProblem;

/** Decides when a schedule exports its next window and when it pauses. */
final class ScheduleRules {

    /** Error codes that only the bucket's owner can fix. An outage of the store is not among them. */
    private static final Set<String> CUSTOMER_ERRORS = Stream.concat(
            EnumSet.of(StorageProblem.UNKNOWN_KEY_ID, StorageProblem.WRONG_SECRET, StorageProblem.EXPIRED_CREDENTIALS,
                    StorageProblem.ACCESS_DENIED, StorageProblem.NO_SUCH_BUCKET, StorageProblem.WRONG_REGION,
                    StorageProblem.FORBIDDEN_ADDRESS, StorageProblem.NOT_SUPPORTED, StorageProblem.QUOTA_EXCEEDED,
                    StorageProblem.ENCRYPTION_KEY_UNUSABLE, StorageProblem.ACL_NOT_SUPPORTED).stream()
                    .map(StorageProblem::code),
            Stream.of("destination_gone"))
            .collect(Collectors.toUnmodifiableSet());

    /** Number of consecutive customer errors after which a schedule pauses. */
    static final int MAX_FAILURES = 5;

    private final Duration delay;

    ScheduleRules(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("waybill.export.schedule.delay must not be negative");
        }
        this.delay = delay;
    }

    /** Returns the next action of the schedule. Windows are exported one at a time, in order. */
    Action next(Schedule schedule, Context context) {
        Window window = schedule.nextWindow();
        if (!window.isDue(context.now(), delay)) {
            return Action.Wait.NOT_DUE;
        }
        if (context.isUnfinished()) {
            return Action.Wait.EARLIER_WINDOW_UNFINISHED;
        }
        return pause(context)
                .<Action> map(Action.Pause::new)
                .orElseGet(
                        () -> context.isEntitled() ? new Action.Spawn(window) : Action.Wait.PLAN_LACKS_EXPORT);
    }

    private static Optional<String> pause(Context context) {
        if (!context.hasSession()) {
            return Optional.of("The tracing project was deleted. Cancel this export.");
        }
        List<Context.WindowResult> latest = context.recentResults().stream().limit(MAX_FAILURES).toList();
        boolean failing = latest.size() == MAX_FAILURES
                && latest.stream().allMatch(result -> result.code() != null && CUSTOMER_ERRORS.contains(result.code()));
        return failing ? Optional.of(reason(latest.getFirst())) : Optional.empty();
    }

    private static String reason(Context.WindowResult last) {
        return "The last " + MAX_FAILURES + " exports failed, the last one with: " + last.message()
                + " Fix the destination and validate it; the schedule then continues with the next window.";
    }

    /**
     * The data that a schedule's next action depends on, read in the transaction of the action.
     *
     * @param now time of the database clock
     * @param isUnfinished whether the export of an earlier window is unfinished
     * @param isEntitled whether the plan of the workspace's organization includes bulk export
     * @param hasSession whether the tracing project exists
     * @param recentResults results of the last windows, newest first
     */
    record Context(Instant now, boolean isUnfinished, boolean isEntitled, boolean hasSession,
            List<WindowResult> recentResults) {

        Context {
            recentResults = List.copyOf(recentResults);
        }

        /**
         * The result of a window's export.
         *
         * @param code error code; null when it did not fail
         * @param message error message for the user
         */
        record WindowResult(@Nullable String code, @Nullable String message) {
        }
    }

    /** The next action of a schedule. */
    sealed interface Action {

        /** Exports a window. */
        record Spawn(Window window) implements Action {
        }

        /**
         * Pauses the schedule until the customer fixes the cause.
         *
         * @param reason the cause and what to do, for the user
         */
        record Pause(String reason) implements Action {
        }

        /** Does nothing until the next poll. */
        enum Wait implements Action {
            /** Another replica has locked the schedule, or it is paused or cancelled. */
            LOCKED,
            NOT_DUE,
            EARLIER_WINDOW_UNFINISHED,
            PLAN_LACKS_EXPORT
        }
    }
}
