package dev.waybill.controlplane.rollout.rule;

import java.time.Duration;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.source.Resolution;

/** What becomes of what engines and repositories answer: functions of the answer, the step's age and its tries. */
public final class Verdicts {

    private static final int MOST_DOUBLINGS = 20;

    private final RolloutConfig config;

    public Verdicts(RolloutConfig config) {
        this.config = config;
    }

    /** A reference that is not there is told by the build, which looks once more. */
    public Verdict resolved(Resolution resolution, int tries) {
        return switch (resolution) {
            case Resolution.Resolved found -> new Verdict.Moved(RevisionStatus.QUEUED, found.commit());
            case Resolution.RefNotFound _ -> Verdict.Moved.to(RevisionStatus.QUEUED);
            case Resolution.Unreachable no when no.retryable() -> new Verdict.Again(no.reason(), pause(tries));
            case Resolution.Unreachable no -> new Verdict.Failed(RevisionStatus.CREATE_FAILED, no.reason());
        };
    }

    /** What a step came to that ends in {@code next} or {@code end}. */
    public Verdict of(Outcome outcome, RevisionStatus next, RevisionStatus end, int tries) {
        return switch (outcome) {
            case Outcome.Done _ -> Verdict.Moved.to(next);
            case Outcome.InProgress progress -> new Verdict.Again(progress.message(), progress.lookAgain(), true);
            case Outcome.Failed failed when failed.mayPass() -> new Verdict.Again(failed.reason(), pause(tries));
            case Outcome.Failed failed -> new Verdict.Failed(end, failed.reason());
        };
    }

    /** What stopping came to; it is asked for until it is done. */
    public Verdict stopped(Outcome outcome, Verdict done, int tries) {
        return switch (outcome) {
            case Outcome.Done _ -> done;
            case Outcome.InProgress progress -> new Verdict.Again(null, progress.lookAgain(), true);
            case Outcome.Failed _ -> new Verdict.Again(null, pause(tries));
        };
    }

    public Verdict observed(Observation observation) {
        return switch (observation) {
            case Observation.Serving _ -> new Verdict.Observed(null);
            case Observation.Failing failing -> new Verdict.Observed(failing.reason());
        };
    }

    /** The pause after so many tries. */
    public Duration pause(int tries) {
        Duration pause = config.firstPause().multipliedBy(1L << Math.min(tries, MOST_DOUBLINGS));
        return pause.compareTo(config.longestPause()) < 0 ? pause : config.longestPause();
    }
}
