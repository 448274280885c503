package dev.waybill.export.schedule;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.export.schedule.ScheduleContext.WindowResult;
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

    private final Duration delay;
    private final int maxFailures;

    /** Creates rules; a schedule pauses after {@code maxFailures} consecutive failures that only the customer can fix. */
    ScheduleRules(Duration delay, int maxFailures) {
        if (delay.isNegative() || maxFailures < 1) {
            throw new IllegalArgumentException(
                    "waybill.export.schedule.delay must not be negative, and max-failures must be at least 1");
        }
        this.delay = delay;
        this.maxFailures = maxFailures;
    }

    /** Returns the next action of the schedule. Windows are exported one at a time, in order. */
    ScheduleAction next(Schedule schedule, ScheduleContext context) {
        Window window = schedule.nextWindow();
        if (!window.isDue(context.now(), delay)) {
            return ScheduleAction.Wait.NOT_DUE;
        }
        if (context.isUnfinished()) {
            return ScheduleAction.Wait.EARLIER_WINDOW_UNFINISHED;
        }
        return pause(context)
                .<ScheduleAction> map(ScheduleAction.Pause::new)
                .orElseGet(
                        () -> context.isEntitled() ? new ScheduleAction.Spawn(window) : ScheduleAction.Wait.PLAN_LACKS_EXPORT);
    }

    private Optional<String> pause(ScheduleContext context) {
        if (!context.hasSession()) {
            return Optional.of("The tracing project was deleted. Cancel this export.");
        }
        List<WindowResult> latest = context.recentResults().stream().limit(maxFailures).toList();
        boolean failing = latest.size() == maxFailures
                && latest.stream().allMatch(result -> result.code() != null && CUSTOMER_ERRORS.contains(result.code()));
        return failing ? Optional.of(reason(latest.getFirst())) : Optional.empty();
    }

    private String reason(WindowResult last) {
        return "The last " + maxFailures + " exports failed, the last one with: " + last.message()
                + " Fix the destination and validate it; the schedule then continues with the next window.";
    }
}
