package dev.waybill.controlplane.rollout;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.notification.NotificationEvent;
import dev.waybill.common.database.Database;
import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.notification.NotificationWriter;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.revision.RevisionChanged;
import dev.waybill.controlplane.revision.log.RevisionLog;
import dev.waybill.controlplane.rollout.RolloutQueue.WorkKind;
import dev.waybill.controlplane.rollout.RolloutRepository.Move;
import dev.waybill.controlplane.rollout.RolloutRepository.Write;
import dev.waybill.controlplane.rollout.RolloutState.Target;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims due deployments, runs the steps of each until none is immediately due, and stores their results. */
@Singleton
class RolloutService {

    private static final Logger LOG = Logger.getLogger(RolloutService.class);

    private final Database database;
    private final RolloutRepository repository;
    private final StepRunner steps;
    private final Event<RevisionChanged> changes;
    private final RevisionLog revisionLog;
    private final NotificationWriter notifications;
    private final Clock clock;
    private final RolloutConfig config;

    RolloutService(Database database, RolloutRepository repository, StepRunner steps,
            Event<RevisionChanged> changes, RevisionLog revisionLog, NotificationWriter notifications, Clock clock,
            RolloutConfig config) {
        this.database = database;
        this.repository = repository;
        this.steps = steps;
        this.changes = changes;
        this.revisionLog = revisionLog;
        this.notifications = notifications;
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
            return flush(connection, lease, log);
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
                    .chain(result -> store(state, next, result));
        }

        /** Stores the result and returns whether another step is immediately due; otherwise the lease was released. */
        private Uni<Boolean> store(RolloutState state, NextStep next, StepResult result) {
            if (result instanceof StepResult.Failed failed) {
                log(failed);
            }
            return database.inWorkspace(lease.tenantId(),
                    connection -> new ResultTransaction(connection, lease, state, next, log).write(result))
                    .invoke(hasMore -> changes.fire(RevisionChanged.afterStep(lease.tenantId(), lease.id(),
                            next.revision().map(Target::id).orElse(null),
                            result.isVisible(next.revision().orElse(null)))))
                    .invoke(() -> logTransition(lease, next, result));
        }

        /** Writes why a step failed after the output that it follows from. */
        private void log(StepResult.Failed failed) {
            log.cause(failed.end() == RevisionStatus.DEPLOY_FAILED ? Phase.DEPLOY : Phase.BUILD, failed.reason());
        }
    }

    /** Stores the pending lines and the commit of the current revision. */
    private Uni<Void> flush(SqlConnection connection, Lease lease, StoredBuildLog log) {
        return log.flush(connection)
                .chain(() -> log.checkedOut()
                        .map(found -> repository.storeCommit(connection, lease, found.revisionId(), found.commit()))
                        .orElseGet(() -> Uni.createFrom().voidItem()));
    }

    private static void logTransition(Lease lease, NextStep next, StepResult result) {
        Optional<RevisionStatus> status = switch (result) {
            case StepResult.Moved moved -> Optional.of(moved.next());
            case StepResult.Failed failed -> Optional.of(failed.end());
            default -> Optional.empty();
        };
        status.ifPresent(reached -> LOG.infof("a revision moved: %s=%s %s=%s %s=%s status=%s", LogKeys.TENANT_ID,
                lease.tenantId(),
                LogKeys.DEPLOYMENT_ID, lease.id(), LogKeys.REVISION_ID, next.revision().map(Target::id).orElse(null), reached));
    }

    /** Stores the result of a step, and its log, in one transaction that holds the lease. */
    private final class ResultTransaction {

        private final SqlConnection connection;
        private final Lease lease;
        private final RolloutState state;
        private final NextStep next;
        private final StoredBuildLog log;

        private ResultTransaction(SqlConnection connection, Lease lease, RolloutState state, NextStep next,
                StoredBuildLog log) {
            this.connection = connection;
            this.lease = lease;
            this.state = state;
            this.next = next;
            this.log = log;
        }

        private Uni<Boolean> write(StepResult result) {
            return switch (result) {
                case StepResult.Moved moved -> moved(moved).chain(() -> flush(connection, lease, log)).replaceWith(true);
                case StepResult.Failed failed -> deployment(Write.KEEP_LEASE.needsCleanup(true))
                        .chain(() -> revision(new Move(failed.end(), failed.reason(), null, false)))
                        .chain(() -> notifyOf(failed))
                        .chain(() -> flush(connection, lease, log))
                        .replaceWith(true);
                case StepResult.Retry retry ->
                    deployment(Write.release(true, retry.delay()).interruptible(retry.interruptible()))
                            .chain(() -> updateMessage(retry))
                            .chain(() -> flush(connection, lease, log))
                            .replaceWith(false);
                case StepResult.Observed observed -> observed(observed.problem()).replaceWith(false);
                case StepResult.CleanedUp _ -> deployment(Write.KEEP_LEASE.needsCleanup(false)).replaceWith(true);
                case StepResult.Removed _ -> repository.remove(connection, lease).replaceWith(false);
                case StepResult.Unchanged _ -> deployment(Write.release(false, null)).replaceWith(false);
            };
        }

        private Uni<Void> notifyOf(StepResult.Failed failed) {
            return notifications.write(connection, lease.tenantId(), NotificationEvent.REVISION_FAILED, new JsonObject()
                    .put("deployment_id", lease.id().toString())
                    .put("deployment_name", state.name())
                    .put("revision_id", target().id().toString())
                    .put("status", failed.end().toString())
                    .put("message", log.reason(failed.reason())));
        }

        private Uni<Void> moved(StepResult.Moved moved) {
            return deployment(moved.next() == RevisionStatus.DEPLOYED ? activated() : Write.KEEP_LEASE)
                    .chain(() -> revision(new Move(moved.next(), null, moved.commit(), false)));
        }

        // The previous revision must be stopped; failed or superseded ones may also have left resources.
        private Write activated() {
            Write write = Write.KEEP_LEASE.active(target().id());
            return state.active() == null ? write : write.needsCleanup(true);
        }

        private Uni<Void> observed(@Nullable String problem) {
            return deployment(Write.release(problem != null,
                    problem == null ? config.observeInterval() : config.observeFailingInterval()))
                    .chain(() -> revision(
                            new Move(problem == null ? RevisionStatus.DEPLOYED : RevisionStatus.UNKNOWN, problem, null,
                                    false)))
                    .chain(() -> flush(connection, lease, log));
        }

        private Uni<Void> updateMessage(StepResult.Retry retry) {
            return retry.message() == null ? Uni.createFrom().voidItem()
                    : revision(new Move(target().status(), retry.message(), null, retry.isHealthCheck()));
        }

        private Uni<Void> deployment(Write write) {
            return repository.write(connection, lease, state, write);
        }

        private Uni<Void> revision(Move move) {
            String message = move.message();
            return repository.move(connection, lease, target(),
                    new Move(move.to(), message == null ? null : log.reason(message),
                            move.commit(), move.isHealthCheck()));
        }

        private Target target() {
            return next.revision().orElseThrow();
        }
    }
}
