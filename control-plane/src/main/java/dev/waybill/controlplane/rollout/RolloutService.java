package dev.waybill.controlplane.rollout;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jboss.logging.MDC;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.revision.log.RevisionLog;
import dev.waybill.controlplane.rollout.RolloutQueue.WorkKind;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims due deployments and runs the steps of each until none is immediately due. */
@Singleton
class RolloutService {

    private static final Logger LOG = Logger.getLogger(RolloutService.class);

    private final Database database;
    private final RolloutRepository repository;
    private final StepRunner steps;
    private final StepResultWriter resultWriter;
    private final RevisionLog revisionLog;
    private final Clock clock;
    private final RolloutConfig config;

    RolloutService(Database database, RolloutRepository repository, StepRunner steps, StepResultWriter resultWriter,
            RevisionLog revisionLog, Clock clock, RolloutConfig config) {
        this.database = database;
        this.repository = repository;
        this.steps = steps;
        this.resultWriter = resultWriter;
        this.revisionLog = revisionLog;
        this.clock = clock;
        this.config = config;
    }

    /** Returns a new handler for each kind of work, with its own round-robin order. */
    List<JobHandler> handlers() {
        return Arrays.stream(WorkKind.values())
                .map(kind -> new RolloutQueue(kind, config.maxConcurrentPerWorkspace()))
                .<JobHandler> map(Handler::new)
                .toList();
    }

    /** Makes a deployment due because its engine reported a change. */
    Uni<Void> markDue(ApplicationChanged changed) {
        return database.inWorkspace(changed.tenantId(),
                connection -> repository.markDue(connection, changed.tenantId(), changed.deploymentId()));
    }

    /** Makes every active deployment due: changes before this replica started were not reported. */
    Uni<Void> markAllActiveDue() {
        return database.everyWorkspace(repository::markAllActiveDue);
    }

    /** Claims the deployments that need one kind of work. */
    private final class Handler extends JobHandler {

        private final RolloutQueue queue;

        private Handler(RolloutQueue queue) {
            super(queue.leases(), config.leaseTiming(), config.maxConcurrent(), LogKeys.DEPLOYMENT_ID);
            this.queue = queue;
        }

        @Override
        protected Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration length, int limit) {
            return queue.claim(connection, owner, length, limit);
        }

        @Override
        protected Job create(Lease lease) {
            return new Rollout(lease);
        }
    }

    /** The steps of a claimed deployment until none is immediately due, which releases it. */
    private final class Rollout implements Job {

        private final Lease lease;
        private final StoredBuildLog log = new StoredBuildLog(revisionLog, clock, RevisionLog.MAX_LINES);

        private Rollout(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Uni<Void> perform() {
            return database.inWorkspace(lease.tenantId(), connection -> repository.load(connection, lease))
                    .chain(this::runNext)
                    .chain(hasMore -> hasMore ? perform() : Uni.createFrom().voidItem());
        }

        @Override
        public Uni<Void> onRenewal(SqlConnection connection) {
            return log.flush(connection);
        }

        @Override
        public Uni<Void> onLeaseLost() {
            LOG.debugf("the lease of a deployment was lost %s=%s", LogKeys.DEPLOYMENT_ID, lease.id());
            return Uni.createFrom().voidItem();
        }

        private Uni<Boolean> runNext(RolloutState state) {
            NextStep next = NextStep.of(state);
            MDC.remove(LogKeys.REVISION_ID);
            next.revision().ifPresent(target -> MDC.put(LogKeys.REVISION_ID, target.id().toString()));
            return steps.run(state, next, log)
                    .chain(result -> resultWriter.write(lease, state, next, result, log));
        }
    }
}
