package dev.waybill.export.execution;

import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import dev.waybill.common.lease.Lease;
import dev.waybill.export.job.ExportOutcomeService;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLimits;
import io.smallrye.mutiny.Uni;

/** What becomes of a run whose attempt did not complete it. */
@Singleton
class Settlement {

    private final AttemptService attempts;
    private final ExportOutcomeService outcomes;
    private final Leftovers leftovers;
    private final int mostAttempts;
    private final RetryPauses pauses;

    Settlement(AttemptService attempts, ExportOutcomeService outcomes, Leftovers leftovers, ExportLimits limits,
            ExecutionConfig config) {
        this.attempts = attempts;
        this.outcomes = outcomes;
        this.leftovers = leftovers;
        this.mostAttempts = limits.attempts();
        this.pauses = config.pauses();
    }

    /** Writes down what went wrong: to be tried again, from the commit record or from the start, or failed for good. */
    Uni<Void> settle(Attempt attempt, AttemptProgress progress, Failure failure) {
        return record(attempt.lease(), progress)
                .chain(() -> clearUp(attempt, progress))
                .chain(() -> isLast(attempt, failure)
                        ? outcomes.failRun(attempt, failure.told())
                        : tryAgain(attempt, failure));
    }

    /** Records what the attempt leaves in the store: open uploads, and files that the next one goes on behind. */
    Uni<Void> record(Lease lease, AttemptProgress progress) {
        return attempts.record(lease, progress.uploads(), progress.checkpoints());
    }

    /** Whether no further attempt follows on this failure. */
    boolean isLast(Attempt attempt, Failure failure) {
        return failure.isPermanent() || attempt.number() >= mostAttempts
                || failure.isUploadGone() && attempt.startedOver();
    }

    /** Whether workers were lost so often that the run is not begun once more. */
    boolean isOneTooMany(Attempt attempt) {
        return attempt.number() > mostAttempts;
    }

    /** Clears up after an attempt that was stopped from outside. */
    Uni<Void> clearUp(Attempt attempt, AttemptProgress progress) {
        return leftovers.abort(attempt, progress.abortableUploads());
    }

    /** Lets go of a run that nothing was wrong with. */
    Uni<Void> giveBack(Lease lease) {
        return attempts.giveBack(lease);
    }

    private Uni<Void> tryAgain(Attempt attempt, Failure failure) {
        var pause = pauses.after(attempt.number(), ThreadLocalRandom.current().nextDouble());
        return failure.needsStartOver()
                ? attempts.startOver(attempt.lease(), failure.told(), pause)
                : attempts.tryLater(attempt.lease(), failure.told(), pause);
    }
}
