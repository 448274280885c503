package dev.waybill.controlplane.rollout;

import java.time.Clock;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.revision.log.RevisionLog;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.RolloutState;
import dev.waybill.controlplane.rollout.rule.RolloutState.Target;
import io.smallrye.mutiny.Uni;

/** Creates the workers' logs and assigns them to revisions. */
@Singleton
class BuildLogFactory {

    private final RevisionLog store;
    private final PlanFactory plans;
    private final Clock clock;

    BuildLogFactory(RevisionLog store, PlanFactory plans, Clock clock) {
        this.store = store;
        this.plans = plans;
        this.clock = clock;
    }

    StoredBuildLog create() {
        return new StoredBuildLog(store, clock, RevisionLog.MAX_LINES);
    }

    /** Assigns subsequent lines to the step's revision and redacts that revision's secrets. */
    Uni<Void> assign(StoredBuildLog log, RolloutState state, NextStep next) {
        Optional<Target> target = next.revision();
        return target.isEmpty() ? Uni.createFrom().voidItem()
                : plans.redaction(state, target.get())
                        // Secrets that cannot be decrypted cannot be printed either; the step itself reports the failure.
                        .onFailure().recoverWithItem(Redaction.NONE)
                        .invoke(hide -> log.assignTo(state.tenantId(), target.get().id(), hide, target.get().logLines()))
                        .replaceWithVoid();
    }
}
