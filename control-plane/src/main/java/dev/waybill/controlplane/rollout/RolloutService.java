package dev.waybill.controlplane.rollout;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseHeartbeat;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims due deployments and runs the steps of each until none is immediately due. */
@Singleton
class RolloutService {

    private static final Logger LOG = Logger.getLogger(RolloutService.class);

    private final Database database;
    private final RolloutRepository repository;
    private final RolloutSteps steps;
    private final LeaseHeartbeat heartbeat;
    private final RolloutConfig config;
    private final LoggingContext loggingContext;
    private final Map<WorkKind, RolloutQueue> queues;
    private final String owner = "pid " + ProcessHandle.current().pid();

    RolloutService(Database database, RolloutRepository repository, RolloutSteps steps, LeaseHeartbeat heartbeat,
            RolloutConfig config, LoggingContext loggingContext) {
        this.database = database;
        this.repository = repository;
        this.steps = steps;
        this.heartbeat = heartbeat;
        this.config = config;
        this.loggingContext = loggingContext;
        this.queues = Arrays.stream(WorkKind.values()).collect(Collectors.toMap(Function.identity(),
                kind -> new RolloutQueue(kind, config.maxConcurrentPerWorkspace())));
    }

    /** Claims due deployments, at most the given number of each kind of work. */
    Uni<Map<WorkKind, List<Lease>>> claim(Map<WorkKind, Integer> limits) {
        return database.everyWorkspace(connection -> claim(connection, WorkKind.ROLLOUT, limits)
                .chain(rollouts -> claim(connection, WorkKind.UPKEEP, limits)
                        .map(upkeep -> Map.of(WorkKind.ROLLOUT, rollouts, WorkKind.UPKEEP, upkeep))));
    }

    private Uni<List<Lease>> claim(SqlConnection connection, WorkKind kind, Map<WorkKind, Integer> limits) {
        return requireNonNull(queues.get(kind))
                .claim(connection, owner, config.leaseTimeout(), limits.getOrDefault(kind, 0));
    }

    /** Runs the steps of a claimed deployment until none is immediately due, then releases it. */
    Uni<Void> perform(Lease lease) {
        return loggingContext.withIds(
                Map.of(LogKeys.TENANT_ID, lease.tenantId().toString(), LogKeys.DEPLOYMENT_ID, lease.id().toString()),
                () -> performHere(lease));
    }

    private Uni<Void> performHere(Lease lease) {
        StoredBuildLog log = steps.newLog();
        return heartbeat.whileHeld(repository.leases(), lease, config.leaseTiming(), log::flush, held -> work(held, log))
                .onFailure(LeaseLostException.class).invoke(lost -> LOG.debugf("the lease of a deployment was lost %s=%s",
                        LogKeys.DEPLOYMENT_ID, lease.id()))
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    /** Releases a deployment whose work was cancelled, so that other replicas need not wait until its lease expires. */
    Uni<Void> release(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> repository.leases().release(connection, lease))
                .replaceWithVoid();
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

    private Uni<Void> work(Lease lease, StoredBuildLog log) {
        return steps.next(lease, log)
                .chain(hasMore -> hasMore ? work(lease, log) : Uni.createFrom().voidItem());
    }
}
