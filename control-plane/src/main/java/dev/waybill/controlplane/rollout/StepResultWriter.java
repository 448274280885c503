package dev.waybill.controlplane.rollout;

import java.util.Optional;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.controlplane.revision.RevisionChanged;
import dev.waybill.controlplane.rollout.RolloutRepository.Write;
import dev.waybill.controlplane.rollout.RolloutState.Target;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Stores a step's result and its log in one transaction if the lease is still held, then fires {@link RevisionChanged}.
 */
@Singleton
class StepResultWriter {

    private static final Logger LOG = Logger.getLogger(StepResultWriter.class);

    private final Database database;
    private final RolloutRepository repository;
    private final RolloutConfig config;
    private final Event<RevisionChanged> changes;

    StepResultWriter(Database database, RolloutRepository repository, RolloutConfig config, Event<RevisionChanged> changes) {
        this.database = database;
        this.repository = repository;
        this.config = config;
        this.changes = changes;
    }

    /** Stores the result and returns whether another step is immediately due; otherwise the lease was released. */
    Uni<Boolean> write(Lease lease, RolloutState state, NextStep next, StepResult result, StoredBuildLog log) {
        return database.inWorkspace(lease.tenantId(),
                connection -> new Writing(connection, lease, state, next, log).write(result))
                .invoke(hasMore -> changes.fire(new RevisionChanged(lease.id())))
                .invoke(() -> logTransition(lease, next, result));
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

    /** The statements of one transaction. */
    private final class Writing {

        private final SqlConnection connection;
        private final Lease lease;
        private final RolloutState state;
        private final NextStep next;
        private final StoredBuildLog log;

        private Writing(SqlConnection connection, Lease lease, RolloutState state, NextStep next, StoredBuildLog log) {
            this.connection = connection;
            this.lease = lease;
            this.state = state;
            this.next = next;
            this.log = log;
        }

        private Uni<Boolean> write(StepResult result) {
            return switch (result) {
                case StepResult.Moved moved -> moved(moved).chain(() -> log.flush(connection)).replaceWith(true);
                case StepResult.Failed failed -> deployment(Write.KEEP_LEASE.needsCleanup(true))
                        .chain(() -> revision(failed.end(), failed.reason(), null))
                        .chain(() -> log.flush(connection))
                        .replaceWith(true);
                case StepResult.Retry retry ->
                    deployment(Write.release(true, retry.delay()).interruptible(retry.interruptible()))
                            .chain(() -> updateMessage(retry.message()))
                            .chain(() -> log.flush(connection))
                            .replaceWith(false);
                case StepResult.Observed observed -> observed(observed.problem()).replaceWith(false);
                case StepResult.CleanedUp _ -> deployment(Write.KEEP_LEASE.needsCleanup(false)).replaceWith(true);
                case StepResult.Removed _ -> repository.remove(connection, lease).replaceWith(false);
                case StepResult.Unchanged _ -> deployment(Write.release(false, null)).replaceWith(false);
            };
        }

        private Uni<Void> moved(StepResult.Moved moved) {
            return deployment(moved.next() == RevisionStatus.DEPLOYED ? activated() : Write.KEEP_LEASE)
                    .chain(() -> revision(moved.next(), null, moved.commit()));
        }

        // The previous revision must be stopped; failed or superseded ones may also have left resources.
        private Write activated() {
            Write write = Write.KEEP_LEASE.active(target().id());
            return state.active() == null ? write : write.needsCleanup(true);
        }

        private Uni<Void> observed(@Nullable String problem) {
            return deployment(Write.release(problem != null,
                    problem == null ? config.observeInterval() : config.observeFailingInterval()))
                    .chain(() -> revision(problem == null ? RevisionStatus.DEPLOYED : RevisionStatus.UNKNOWN, problem, null))
                    .chain(() -> log.flush(connection));
        }

        private Uni<Void> updateMessage(@Nullable String message) {
            return message == null ? Uni.createFrom().voidItem() : revision(target().status(), message, null);
        }

        private Uni<Void> deployment(Write write) {
            return repository.write(connection, lease, state, write);
        }

        private Uni<Void> revision(RevisionStatus status, @Nullable String message, @Nullable String commit) {
            return repository.move(connection, lease, target(), status, message == null ? null : log.reason(message), commit);
        }

        private Target target() {
            return next.revision().orElseThrow();
        }
    }
}
