package dev.waybill.controlplane.rollout.rule;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.controlplane.rollout.rule.RolloutState.Target;

/**
 * What there is to do about a deployment: a function of how it is, so that every replica finds the same, also after a crash.
 */
public sealed interface NextStep {

    /** Stop everything of a deployment that was deleted. */
    record Remove() implements NextStep {
    }

    /** Find the commit. */
    record Resolve(Target target) implements NextStep {
    }

    /** Nothing stands in the way of the next status. */
    record Pass(Target target, RevisionStatus next) implements NextStep {
    }

    /** Have the engine prepare it; the commit is looked up first where it is not known yet. */
    record Build(Target target) implements NextStep {
    }

    /** Have the engine start it and send the requests there. */
    record Deploy(Target target) implements NextStep {
    }

    /** Have the engine stop what is not wanted any more. */
    record Tidy(Set<UUID> keep) implements NextStep {
    }

    /** See how the active revision does. */
    record Observe(Target target) implements NextStep {
    }

    /** Nothing, until somebody asks for something. */
    record Rest() implements NextStep {
    }

    /** The revision that it is about. */
    default Optional<Target> revision() {
        return switch (this) {
            case Resolve resolve -> Optional.of(resolve.target());
            case Pass pass -> Optional.of(pass.target());
            case Build build -> Optional.of(build.target());
            case Deploy deploy -> Optional.of(deploy.target());
            case Observe observe -> Optional.of(observe.target());
            case Remove _ -> Optional.empty();
            case Tidy _ -> Optional.empty();
            case Rest _ -> Optional.empty();
        };
    }

    /** Whether it is work, or waiting, of minutes. */
    default boolean mayTakeLong() {
        return switch (this) {
            case Resolve _ -> true;
            case Build _ -> true;
            case Deploy _ -> true;
            case Tidy _ -> true;
            case Remove _ -> false;
            case Pass _ -> false;
            case Observe _ -> false;
            case Rest _ -> false;
        };
    }

    /** The newest revision comes first: nothing that an older one left may hold it up. */
    static NextStep of(RolloutState state) {
        if (state.deleted()) {
            return new Remove();
        }
        Target newest = state.newest();
        if (newest != null && newest.status().isInProgress()) {
            return forward(newest);
        }
        Target active = state.active();
        if (state.untidy()) {
            return new Tidy(active == null ? Set.of() : Set.of(active.id()));
        }
        return active == null ? new Rest() : new Observe(active);
    }

    private static NextStep forward(Target newest) {
        return switch (newest.status()) {
            case CREATING -> new Resolve(newest);
            case QUEUED -> new Pass(newest, RevisionStatus.AWAITING_BUILD);
            case AWAITING_BUILD -> new Pass(newest, RevisionStatus.BUILDING);
            case BUILDING -> new Build(newest);
            case AWAITING_DEPLOY -> new Pass(newest, RevisionStatus.DEPLOYING);
            case DEPLOYING -> new Deploy(newest);
            case DEPLOYED, UNKNOWN, CREATE_FAILED, BUILD_FAILED, DEPLOY_FAILED, SKIPPED, INTERRUPTED ->
                throw new IllegalStateException("the revision " + newest.id() + " is not under way: " + newest.status());
        };
    }
}
