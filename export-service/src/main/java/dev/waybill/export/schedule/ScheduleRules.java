package dev.waybill.export.schedule;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.export.schedule.Circumstances.Outcome;
import dev.waybill.export.storage.StorageProblem;

/** When a schedule exports its next window, and when it rather stops. */
final class ScheduleRules {

    /** What only the bucket's owner can mend. A store that is down is not among it: that passes. */
    private static final Set<String> CUSTOMERS = Stream.concat(
            EnumSet.of(StorageProblem.UNKNOWN_KEY_ID, StorageProblem.WRONG_SECRET, StorageProblem.EXPIRED_CREDENTIALS,
                    StorageProblem.ACCESS_DENIED, StorageProblem.NO_SUCH_BUCKET, StorageProblem.WRONG_REGION,
                    StorageProblem.FORBIDDEN_ADDRESS, StorageProblem.NOT_SUPPORTED, StorageProblem.QUOTA_EXCEEDED,
                    StorageProblem.ENCRYPTION_KEY_UNUSABLE, StorageProblem.ACL_NOT_SUPPORTED).stream()
                    .map(StorageProblem::code),
            Stream.of("destination_gone"))
            .collect(Collectors.toUnmodifiableSet());

    private final Duration delay;
    private final int mostFailures;

    /** @param mostFailures after so many failures in a row that only the customer can mend a schedule pauses */
    ScheduleRules(Duration delay, int mostFailures) {
        if (delay.isNegative() || mostFailures < 1) {
            throw new IllegalArgumentException("a schedule's delay must not be negative, and its failures at least 1");
        }
        this.delay = delay;
        this.mostFailures = mostFailures;
    }

    /** What happens to the schedule under these circumstances. Windows come one after the other, however many are due. */
    NextStep next(Schedule schedule, Circumstances seen) {
        Window window = schedule.next();
        if (!window.isDue(seen.now(), delay)) {
            return NextStep.Wait.NOT_DUE;
        }
        if (seen.isUnfinished()) {
            return NextStep.Wait.EARLIER_WINDOW_UNFINISHED;
        }
        return pause(seen)
                .<NextStep> map(NextStep.Pause::new)
                .orElseGet(() -> seen.isEntitled() ? new NextStep.Spawn(window) : NextStep.Wait.PLAN_LACKS_EXPORT);
    }

    private Optional<String> pause(Circumstances seen) {
        if (!seen.hasSession()) {
            return Optional.of("The tracing project does not exist any more. Cancel this export.");
        }
        List<Outcome> latest = seen.recent().stream().limit(mostFailures).toList();
        boolean failing = latest.size() == mostFailures
                && latest.stream().allMatch(outcome -> outcome.code() != null && CUSTOMERS.contains(outcome.code()));
        return failing ? Optional.of(reason(latest.getFirst())) : Optional.empty();
    }

    private String reason(Outcome last) {
        return "The last " + mostFailures + " exports failed, at last with: " + last.message()
                + " Mend the destination and have it validated; the schedule then goes on where it stopped.";
    }
}
