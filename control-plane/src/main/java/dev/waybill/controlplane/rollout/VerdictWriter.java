package dev.waybill.controlplane.rollout;

import java.util.Optional;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.lease.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.controlplane.revision.RevisionChanged;
import dev.waybill.controlplane.rollout.RolloutRepository.Write;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import dev.waybill.controlplane.rollout.rule.RolloutState;
import dev.waybill.controlplane.rollout.rule.RolloutState.Target;
import dev.waybill.controlplane.rollout.rule.Verdict;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Writes down what a step has come to, if the lease is still held, and with it what was said; then tells whoever waits.
 */
@Singleton
class VerdictWriter {

    private static final Logger LOG = Logger.getLogger(VerdictWriter.class);

    private final Database database;
    private final RolloutRepository repository;
    private final RolloutConfig config;
    private final Event<RevisionChanged> changes;

    VerdictWriter(Database database, RolloutRepository repository, RolloutConfig config, Event<RevisionChanged> changes) {
        this.database = database;
        this.repository = repository;
        this.config = config;
        this.changes = changes;
    }

    /** Whether there is something more to do at once; else the lease was given back. */
    Uni<Boolean> write(Lease lease, RolloutState state, NextStep next, Verdict verdict, StoredBuildLog log) {
        return database.inWorkspace(lease.tenantId(),
                connection -> new Writing(connection, lease, state, next, log).write(verdict))
                .invoke(goesOn -> changes.fire(new RevisionChanged(lease.id())))
                .invoke(() -> tell(lease, next, verdict));
    }

    private static void tell(Lease lease, NextStep next, Verdict verdict) {
        Optional<RevisionStatus> status = switch (verdict) {
            case Verdict.Moved moved -> Optional.of(moved.next());
            case Verdict.Failed failed -> Optional.of(failed.end());
            default -> Optional.empty();
        };
        status.ifPresent(reached -> LOG.infof("a revision moved: %s=%s %s=%s %s=%s status=%s", LogKeys.TENANT_ID,
                lease.tenantId(),
                LogKeys.DEPLOYMENT_ID, lease.id(), LogKeys.REVISION_ID, next.revision().map(Target::id).orElse(null), reached));
    }

    /** One transaction. */
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

        private Uni<Boolean> write(Verdict verdict) {
            return switch (verdict) {
                case Verdict.Moved moved -> moved(moved).chain(() -> log.flush(connection)).replaceWith(true);
                case Verdict.Failed failed -> deployment(Write.ON.untidy(true))
                        .chain(() -> revision(failed.end(), failed.reason(), null))
                        .chain(() -> log.flush(connection))
                        .replaceWith(true);
                case Verdict.Again again -> deployment(Write.release(true, again.pause()).interruptible(again.interruptible()))
                        .chain(() -> told(again.message()))
                        .chain(() -> log.flush(connection))
                        .replaceWith(false);
                case Verdict.Observed observed -> observed(observed.trouble()).replaceWith(false);
                case Verdict.Tidied _ -> deployment(Write.ON.untidy(false)).replaceWith(true);
                case Verdict.Removed _ -> repository.remove(connection, lease).replaceWith(false);
                case Verdict.Nothing _ -> deployment(Write.release(false, null)).replaceWith(false);
            };
        }

        private Uni<Void> moved(Verdict.Moved moved) {
            return deployment(moved.next() == RevisionStatus.DEPLOYED ? activated() : Write.ON)
                    .chain(() -> revision(moved.next(), null, moved.commit()));
        }

        // What served before is stopped now; what failed or was overtaken before it may have left something too.
        private Write activated() {
            Write write = Write.ON.active(target().id());
            return state.active() == null ? write : write.untidy(true);
        }

        private Uni<Void> observed(@Nullable String trouble) {
            return deployment(Write.release(trouble != null,
                    trouble == null ? config.observeEvery() : config.observeFailingEvery()))
                    .chain(() -> revision(trouble == null ? RevisionStatus.DEPLOYED : RevisionStatus.UNKNOWN, trouble, null))
                    .chain(() -> log.flush(connection));
        }

        private Uni<Void> told(@Nullable String message) {
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
