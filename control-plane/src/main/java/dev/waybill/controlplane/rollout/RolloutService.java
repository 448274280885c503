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
import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseHeartbeat;
import dev.waybill.common.lease.LeaseLostException;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims deployments that are due and works on each, step by step, for as long as there is something to do at once. */
@Singleton
class RolloutService {

    private static final Logger LOG = Logger.getLogger(RolloutService.class);

    private final Database database;
    private final RolloutRepository repository;
    private final RolloutSteps steps;
    private final LeaseHeartbeat keeper;
    private final RolloutConfig config;
    private final LoggingContext lines;
    private final Map<Errand, RolloutQueue> queues;
    private final String owner = "pid " + ProcessHandle.current().pid();

    RolloutService(Database database, RolloutRepository repository, RolloutSteps steps, LeaseHeartbeat keeper,
            RolloutConfig config, LoggingContext lines) {
        this.database = database;
        this.repository = repository;
        this.steps = steps;
        this.keeper = keeper;
        this.config = config;
        this.lines = lines;
        this.queues = Arrays.stream(Errand.values()).collect(Collectors.toMap(Function.identity(),
                errand -> new RolloutQueue(errand, config.concurrentPerWorkspace())));
    }

    /** Takes so many of the deployments that are due, by what they want. */
    Uni<Map<Errand, List<Lease>>> claim(Map<Errand, Integer> most) {
        return database.everyWorkspace(connection -> claim(connection, Errand.ROLLOUT, most)
                .chain(rollouts -> claim(connection, Errand.UPKEEP, most)
                        .map(upkeep -> Map.of(Errand.ROLLOUT, rollouts, Errand.UPKEEP, upkeep))));
    }

    private Uni<List<Lease>> claim(SqlConnection connection, Errand errand, Map<Errand, Integer> most) {
        return requireNonNull(queues.get(errand))
                .claim(connection, owner, config.lease(), most.getOrDefault(errand, 0));
    }

    /** Works on a deployment that was claimed, until there is nothing more to do at once; gives it back then. */
    Uni<Void> perform(Lease lease) {
        return lines.withIds(
                Map.of(LogKeys.TENANT_ID, lease.tenantId().toString(), LogKeys.DEPLOYMENT_ID, lease.id().toString()),
                () -> performHere(lease));
    }

    private Uni<Void> performHere(Lease lease) {
        StoredBuildLog log = steps.newLog();
        return keeper.whileHeld(repository.leases(), lease, config.leaseTiming(), log::flush, held -> work(held, log))
                .onFailure(LeaseLostException.class).invoke(lost -> LOG.debugf("a deployment was taken away %s=%s",
                        LogKeys.DEPLOYMENT_ID, lease.id()))
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    /** Lets go of a deployment whose work was cancelled, so that another replica need not wait for the lease to run out. */
    Uni<Void> giveBack(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> repository.leases().release(connection, lease))
                .replaceWithVoid();
    }

    /** Has the deployment looked at, which its engine saw a change of. */
    Uni<Void> lookSoon(ApplicationChanged changed) {
        return database.inWorkspace(changed.tenantId(),
                connection -> repository.lookSoon(connection, changed.tenantId(), changed.deploymentId()));
    }

    /** Has every active deployment looked at: this replica has just begun, and its engine may have lost sight of them. */
    Uni<Void> lookAtAll() {
        return database.everyWorkspace(repository::lookAtAll);
    }

    private Uni<Void> work(Lease lease, StoredBuildLog log) {
        return steps.next(lease, log)
                .chain(goesOn -> goesOn ? work(lease, log) : Uni.createFrom().voidItem());
    }
}
