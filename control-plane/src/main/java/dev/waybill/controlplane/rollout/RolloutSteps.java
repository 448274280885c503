package dev.waybill.controlplane.rollout;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.RolloutState;
import io.smallrye.mutiny.Uni;

/** Runs one step of a claimed deployment: loads its state, runs the next step and stores the result. */
@Singleton
class RolloutSteps {

    private final Database database;
    private final RolloutRepository repository;
    private final StepRunner runner;
    private final StepResultWriter resultWriter;
    private final BuildLogFactory logs;

    RolloutSteps(Database database, RolloutRepository repository, StepRunner runner, StepResultWriter resultWriter,
            BuildLogFactory logs) {
        this.database = database;
        this.repository = repository;
        this.runner = runner;
        this.resultWriter = resultWriter;
        this.logs = logs;
    }

    /** Returns a log that is not yet assigned to a revision. */
    StoredBuildLog newLog() {
        return logs.create();
    }

    /** Runs the next step and returns whether another one is immediately due. */
    Uni<Boolean> next(Lease lease, StoredBuildLog log) {
        return database.inWorkspace(lease.tenantId(), connection -> repository.load(connection, lease))
                .chain(state -> step(lease, state, log));
    }

    private Uni<Boolean> step(Lease lease, RolloutState state, StoredBuildLog log) {
        NextStep next = NextStep.of(state);
        MDC.remove(LogKeys.REVISION_ID);
        next.revision().ifPresent(target -> MDC.put(LogKeys.REVISION_ID, target.id().toString()));
        return logs.assign(log, state, next)
                .chain(() -> runner.run(state, next, log))
                .chain(result -> resultWriter.write(lease, state, next, result, log));
    }
}
