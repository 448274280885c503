package dev.waybill.controlplane.application;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.ApplicationStatusResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.engine.ApplicationUsage;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.ApplicationId;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Measures the application of a deployment's active revision. */
@Singleton
class ApplicationStatusService {

    private static final Logger LOG = Logger.getLogger(ApplicationStatusService.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String ACTIVE = """
            SELECT active_revision_id FROM deploy.deployments WHERE tenant_id = $1 AND id = $2
            """;

    private final Database database;
    private final Engine engine;
    private final Clock clock;

    ApplicationStatusService(Database database, Engine engine, Clock clock) {
        this.database = database;
        this.engine = engine;
        this.clock = clock;
    }

    /** Returns the state of the application; fails with 404 if the deployment does not exist. */
    Uni<ApplicationStatusResponse> get(UUID tenantId, UUID deploymentId) {
        return database.inWorkspace(tenantId,
                connection -> connection.preparedQuery(ACTIVE).execute(Tuple.of(tenantId, deploymentId)))
                .map(rows -> {
                    if (rows.rowCount() != 1) {
                        throw ProblemException.notFound("deployment", deploymentId);
                    }
                    return new Active(rows.iterator().next().getUUID("active_revision_id"));
                })
                .chain(active -> usage(tenantId, deploymentId, active)
                        .map(usage -> response(deploymentId, active, usage)));
    }

    private Uni<ApplicationUsage> usage(UUID tenantId, UUID deploymentId, Active active) {
        UUID revision = active.revision();
        return revision == null ? Uni.createFrom().item(ApplicationUsage.UNKNOWN)
                : engine.usage(new ApplicationId(tenantId, deploymentId, revision))
                        .ifNoItem().after(TIMEOUT).fail()
                        .onFailure().invoke(failure -> LOG.debugf(failure, "an application cannot be measured: %s=%s",
                                LogKeys.DEPLOYMENT_ID, deploymentId))
                        .onFailure().recoverWithItem(ApplicationUsage.UNKNOWN);
    }

    private ApplicationStatusResponse response(UUID deploymentId, Active active, ApplicationUsage usage) {
        return new ApplicationStatusResponse(deploymentId, active.revision(), clock.instant(), usage.instances(),
                usage.readyInstances(), usage.restarts(), usage.cpuCores(), usage.memoryBytes(), usage.requestsPerMinute());
    }

    private record Active(@Nullable UUID revision) {
    }
}
