package dev.waybill.controlplane.rollout;

import java.time.Duration;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.limit.Backoff;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.source.SourceClient.Resolution;

/** Maps outcomes of engines and repositories to results of steps. */
final class StepResults {

    private final Backoff backoff;

    StepResults(RolloutConfig config) {
        this.backoff = new Backoff(Duration.ofSeconds(1), config.maxBackoff());
    }

    /** Maps a resolution. An unknown reference is not a failure yet: the build resolves it again and reports it. */
    StepResult resolved(Resolution resolution, int tries) {
        return switch (resolution) {
            case Resolution.Resolved found -> new StepResult.Moved(RevisionStatus.QUEUED, found.commit());
            case Resolution.RefNotFound _ -> StepResult.Moved.to(RevisionStatus.QUEUED);
            case Resolution.Unreachable no when no.retryable() -> new StepResult.Retry(no.reason(), delay(tries));
            case Resolution.Unreachable no -> new StepResult.Failed(RevisionStatus.CREATE_FAILED, no.reason());
        };
    }

    /** Maps the outcome of a step that ends in {@code next} or fails with {@code end}. */
    StepResult of(Outcome outcome, RevisionStatus next, RevisionStatus end, int tries) {
        return switch (outcome) {
            case Outcome.Done _ -> StepResult.Moved.to(next);
            case Outcome.InProgress progress -> new StepResult.Retry(progress.message(), progress.recheckAfter(), true);
            case Outcome.Failed failed when failed.retryable() -> new StepResult.Retry(failed.reason(), delay(tries));
            case Outcome.Failed failed -> new StepResult.Failed(end, failed.reason());
        };
    }

    /** Maps the outcome of stopping, which is repeated until done. */
    StepResult stopped(Outcome outcome, StepResult done, int tries) {
        return switch (outcome) {
            case Outcome.Done _ -> done;
            case Outcome.InProgress progress -> new StepResult.Retry(null, progress.recheckAfter(), true);
            case Outcome.Failed _ -> new StepResult.Retry(null, delay(tries));
        };
    }

    StepResult observed(Observation observation) {
        return switch (observation) {
            case Observation.Serving _ -> new StepResult.Observed(null);
            case Observation.Failing failing -> new StepResult.Observed(failing.reason());
        };
    }

    /** Returns the delay after another unsuccessful attempt. */
    Duration delay(int tries) {
        return backoff.delay(tries + 1);
    }
}
