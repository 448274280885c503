package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.rollout.RolloutState.Target;
import dev.waybill.controlplane.source.SourceClient.Resolution;

/** The result of a step, ready to be stored. */
sealed interface StepResult {

    /**
     * The revision moves to its next status.
     *
     * @param commit the commit that the reference resolved to; null for other steps
     */
    record Moved(RevisionStatus next, @Nullable String commit) implements StepResult {

        public static Moved to(RevisionStatus next) {
            return new Moved(next, null);
        }
    }

    /** The revision failed. */
    record Failed(RevisionStatus end, String reason) implements StepResult {
    }

    /**
     * The step is repeated after the delay.
     *
     * @param interruptible whether a change that the engine reports shortens the delay; false after a failure
     * @param isHealthCheck whether the application was started and is not healthy yet
     */
    record Retry(@Nullable String message, Duration delay, boolean interruptible, boolean isHealthCheck) implements StepResult {

        /** Creates the result of a retryable failure. */
        public Retry(@Nullable String message, Duration delay) {
            this(message, delay, false, false);
        }
    }

    /**
     * The active revision was checked.
     *
     * @param problem the reason why it does not serve; null if it serves
     */
    record Observed(@Nullable String problem) implements StepResult {
    }

    /** All other revisions were stopped. */
    record CleanedUp() implements StepResult {
    }

    /** Everything of the deployment was removed. */
    record Removed() implements StepResult {
    }

    /** There was nothing to do. */
    record Unchanged() implements StepResult {
    }

    /** Returns whether the result changes what clients read of the revision, or of the deployment. */
    default boolean isVisible(@Nullable Target target) {
        return switch (this) {
            case Moved _ -> true;
            case Failed _ -> true;
            case Removed _ -> true;
            case Retry retry -> target != null && retry.message() != null && !retry.message().equals(target.message());
            case Observed observed -> target != null && (!Objects.equals(observed.problem(), target.message())
                    || (observed.problem() == null) != (target.status() == RevisionStatus.DEPLOYED));
            case CleanedUp _ -> false;
            case Unchanged _ -> false;
        };
    }

    /** Maps a resolution. An unknown reference is not a failure yet: the build resolves it again and reports it. */
    static StepResult ofResolving(Resolution resolution, Duration backoff) {
        return switch (resolution) {
            case Resolution.Resolved found -> new Moved(RevisionStatus.QUEUED, found.commit());
            case Resolution.RefNotFound _ -> Moved.to(RevisionStatus.QUEUED);
            case Resolution.Unreachable no when no.retryable() -> new Retry(no.reason(), backoff);
            case Resolution.Unreachable no -> new Failed(RevisionStatus.CREATE_FAILED, no.reason());
        };
    }

    /** Maps a repeated resolution: an unknown reference reaches the build, which proceeds or fails with that reason. */
    static StepResult ofResolvingAgain(Resolution resolution, Duration backoff) {
        return switch (resolution) {
            case Resolution.Resolved found -> new Moved(RevisionStatus.BUILDING, found.commit());
            case Resolution.RefNotFound missing -> new Failed(RevisionStatus.BUILD_FAILED, missing.reason());
            case Resolution.Unreachable no when no.retryable() -> new Retry(no.reason(), backoff);
            case Resolution.Unreachable no -> new Failed(RevisionStatus.BUILD_FAILED, no.reason());
        };
    }

    /** Maps the outcome of a step that ends in {@code next} or fails with {@code end}. */
    static StepResult of(Outcome outcome, RevisionStatus next, RevisionStatus end, Duration backoff) {
        return switch (outcome) {
            case Outcome.Done _ -> Moved.to(next);
            case Outcome.InProgress progress ->
                new Retry(progress.message(), progress.recheckAfter(), true, progress.isHealthCheck());
            case Outcome.Failed failed when failed.retryable() -> new Retry(failed.reason(), backoff);
            case Outcome.Failed failed -> new Failed(end, failed.reason());
        };
    }

    /** Maps the outcome of stopping, which is repeated until done. */
    static StepResult ofStopping(Outcome outcome, StepResult done, Duration backoff) {
        return switch (outcome) {
            case Outcome.Done _ -> done;
            case Outcome.InProgress progress -> new Retry(null, progress.recheckAfter(), true, false);
            case Outcome.Failed _ -> new Retry(null, backoff);
        };
    }

    /** Maps the state of the active revision. */
    static StepResult ofObserving(Observation observation) {
        return switch (observation) {
            case Observation.Serving _ -> new Observed(null);
            case Observation.Failing failing -> new Observed(failing.reason());
        };
    }
}
