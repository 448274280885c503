package dev.waybill.controlplane.thread;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.logging.LogKeys;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Removes database roles and threads that the deletion of a deployment left, such as one by a replica of the previous release.
 * Concurrent creations are safe: the database lists only deleted deployments here, and no id is used twice.
 */
@Singleton
class DeletedDeploymentSweep {

    private static final Logger LOG = Logger.getLogger(DeletedDeploymentSweep.class);
    private static final String FIND = """
            SELECT tenant_id, deployment_id FROM deploy.deleted_deployments ORDER BY deleted_at LIMIT 1000
            """;
    private static final String FORGET = """
            DELETE FROM deploy.deleted_deployments WHERE tenant_id = $1 AND deployment_id = $2
            """;

    private final Database database;
    private final ThreadRoles roles;

    DeletedDeploymentSweep(Database database, ThreadRoles roles) {
        this.database = database;
        this.roles = roles;
    }

    @Scheduled(identity = "deleted-deployments", every = "10m", delayed = "2m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return database.everyWorkspace(connection -> connection.query(FIND).execute()
                .map(rows -> Rows.list(rows, row -> new Deleted(row.getUUID(0), row.getUUID(1)))))
                .chain(this::remove);
    }

    private Uni<Void> remove(List<Deleted> all) {
        return Multi.createFrom().iterable(all)
                .onItem().transformToUniAndConcatenate(this::remove)
                .collect().last()
                .replaceWithVoid();
    }

    /** Removes the role and the rows of a deleted deployment; the next sweep retries after a failure. */
    private Uni<Void> remove(Deleted deleted) {
        return roles.remove(deleted.tenantId(), deleted.id())
                .chain(() -> database.inWorkspace(deleted.tenantId(), connection -> connection.preparedQuery(FORGET)
                        .execute(Tuple.of(deleted.tenantId(), deleted.id()))))
                .replaceWithVoid()
                .onFailure().invoke(failure -> LOG.warnf("could not remove the threads of a deleted deployment: %s=%s error=%s",
                        LogKeys.DEPLOYMENT_ID, deleted.id(), failure.getMessage()))
                .onFailure().recoverWithNull();
    }

    private record Deleted(UUID tenantId, UUID id) {
    }
}
