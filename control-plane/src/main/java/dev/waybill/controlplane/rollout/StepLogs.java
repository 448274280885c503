package dev.waybill.controlplane.rollout;

import java.time.Clock;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.revision.RevisionConfig;
import dev.waybill.controlplane.revision.log.RevisionLog;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.RolloutState;
import dev.waybill.controlplane.rollout.rule.RolloutState.Target;
import io.smallrye.mutiny.Uni;

/** Makes the logs of workers and gives them to revisions. */
@Singleton
class StepLogs {

    private final RevisionLog store;
    private final Plans plans;
    private final RevisionConfig config;
    private final Clock clock;

    StepLogs(RevisionLog store, Plans plans, RevisionConfig config, Clock clock) {
        this.store = store;
        this.plans = plans;
        this.config = config;
        this.clock = clock;
    }

    StoredBuildLog create() {
        return new StoredBuildLog(store, clock, config.maxLogLines());
    }

    /** Whatever is said from now on belongs to the step's revision, and hides what that was given in confidence. */
    Uni<Void> assign(StoredBuildLog log, RolloutState state, NextStep next) {
        Optional<Target> target = next.revision();
        return target.isEmpty() ? Uni.createFrom().voidItem()
                : plans.redaction(state, target.get())
                        // What cannot be opened cannot be said either; the step itself tells what is wrong.
                        .onFailure().recoverWithItem(Redaction.NONE)
                        .invoke(hide -> log.belongTo(state.tenantId(), target.get().id(), hide, target.get().logLines()))
                        .replaceWithVoid();
    }
}
