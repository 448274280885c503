package dev.waybill.controlplane.rollout;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.controlplane.rollout.RolloutState.Target;

/**
 * The next step of a deployment: a pure function of its state, so that every replica decides the same, also after a crash.
 */
sealed interface NextStep {

    /** Stops everything of a deleted deployment. */
    record Remove() implements NextStep {
    }

    /** Resolves the reference to a commit. */
    record Resolve(Target target) implements NextStep {
    }

    /** Moves to the next status without work. */
    record Advance(Target target, RevisionStatus next) implements NextStep {
    }

    /** Has the engine build the revision; resolves the commit first if it is unknown. */
    record Build(Target target) implements NextStep {
    }

    /** Has the engine start the revision and route requests to it. */
    record Deploy(Target target) implements NextStep {
    }

    /** Has the engine stop all other revisions. */
    record CleanUp(Set<UUID> keep) implements NextStep {
    }

    /** Checks the active revision. */
    record Observe(Target target) implements NextStep {
    }

    /** Does nothing until a request changes the deployment. */
    record Idle() implements NextStep {
    }

    /** Returns the revision that the step concerns. */
    default Optional<Target> revision() {
        return switch (this) {
            case Resolve resolve -> Optional.of(resolve.target());
            case Advance advance -> Optional.of(advance.target());
            case Build build -> Optional.of(build.target());
            case Deploy deploy -> Optional.of(deploy.target());
            case Observe observe -> Optional.of(observe.target());
            case Remove _ -> Optional.empty();
            case CleanUp _ -> Optional.empty();
            case Idle _ -> Optional.empty();
        };
    }

    /** Returns whether the step can take minutes. */
    default boolean isLongRunning() {
        return switch (this) {
            case Resolve _ -> true;
            case Build _ -> true;
            case Deploy _ -> true;
            case CleanUp _ -> true;
            case Remove _ -> false;
            case Advance _ -> false;
            case Observe _ -> false;
            case Idle _ -> false;
        };
    }

    /** Returns the next step. The newest revision comes first, so that cleaning up older ones never delays it. */
    static NextStep of(RolloutState state) {
        if (state.deleted()) {
            return new Remove();
        }
        Target newest = state.newest();
        if (newest != null && newest.status().isInProgress()) {
            return forward(newest);
        }
        Target active = state.active();
        if (state.needsCleanup()) {
            return new CleanUp(active == null ? Set.of() : Set.of(active.id()));
        }
        return active == null ? new Idle() : new Observe(active);
    }

    private static NextStep forward(Target newest) {
        return switch (newest.status()) {
            case CREATING -> new Resolve(newest);
            case QUEUED -> new Advance(newest, RevisionStatus.AWAITING_BUILD);
            case AWAITING_BUILD -> new Advance(newest, RevisionStatus.BUILDING);
            case BUILDING -> new Build(newest);
            case AWAITING_DEPLOY -> new Advance(newest, RevisionStatus.DEPLOYING);
            case DEPLOYING -> new Deploy(newest);
            case DEPLOYED, UNKNOWN, CREATE_FAILED, BUILD_FAILED, DEPLOY_FAILED, SKIPPED, INTERRUPTED ->
                throw new IllegalStateException("the revision " + newest.id() + " is not in progress: " + newest.status());
        };
    }
}
