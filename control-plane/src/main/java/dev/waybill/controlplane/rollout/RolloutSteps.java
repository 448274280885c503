package dev.waybill.controlplane.rollout;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;

import dev.waybill.common.database.Database;
import dev.waybill.common.lease.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.RolloutState;
import io.smallrye.mutiny.Uni;

/** One step of a deployment that is held: read how it is, do what is next, write down what it came to. */
@Singleton
class RolloutSteps {

    private final Database database;
    private final RolloutRepository repository;
    private final StepRunner runner;
    private final VerdictWriter writer;
    private final StepLogs logs;

    RolloutSteps(Database database, RolloutRepository repository, StepRunner runner, VerdictWriter writer, StepLogs logs) {
        this.database = database;
        this.repository = repository;
        this.runner = runner;
        this.writer = writer;
        this.logs = logs;
    }

    /** A log that belongs to no revision yet. */
    StoredBuildLog newLog() {
        return logs.create();
    }

    /** Whether there is something more to do at once. */
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
                .chain(verdict -> writer.write(lease, state, next, verdict, log));
    }
}
