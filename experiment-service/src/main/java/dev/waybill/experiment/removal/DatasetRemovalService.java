package dev.waybill.experiment.removal;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.experiment.dataset.DatasetRemovalSteps;
import dev.waybill.experiment.session.SessionRemovalService;
import dev.waybill.experiment.session.WorkspaceLock;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Deletes a dataset. One transaction hides it and its experiments, so that nothing can be added to them; then its examples
 * are deleted in batches. The experiments' runs are deleted in the background; timers finish what a crash interrupts.
 */
@Singleton
class DatasetRemovalService {

    private static final Logger LOG = Logger.getLogger(DatasetRemovalService.class);

    private final Database database;
    private final DatasetRemovalSteps datasets;
    private final SessionRemovalService sessions;
    private final WorkspaceLock workspaceLock;

    DatasetRemovalService(Database database, DatasetRemovalSteps datasets, SessionRemovalService sessions,
            WorkspaceLock workspaceLock) {
        this.database = database;
        this.workspaceLock = workspaceLock;
        this.datasets = datasets;
        this.sessions = sessions;
    }

    /** Deletes the dataset, its examples and its experiments; 404 if it does not exist. */
    Uni<Void> remove(UUID tenantId, UUID id) {
        return hide(tenantId, id)
                .chain(() -> finish(tenantId, id))
                .invoke(() -> LOG.infof("a dataset and its experiments were deleted %s=%s dataset_id=%s", LogKeys.TENANT_ID,
                        tenantId, id));
    }

    /** Finishes interrupted removals; those of experiments have their own schedule. */
    @Scheduled(every = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> finishInterrupted() {
        return database.everyWorkspace(datasets::findInterrupted)
                .onItem().transformToMulti(found -> Multi.createFrom().iterable(found))
                .onItem().transformToUniAndConcatenate(interrupted -> finish(interrupted.tenantId(), interrupted.datasetId()))
                .onItem().ignoreAsUni();
    }

    // Locks in the order of uploads, the workspace before the dataset, to avoid deadlocks.
    private Uni<Void> hide(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> workspaceLock.acquireExclusive(connection, tenantId)
                .chain(() -> datasets.hide(connection, tenantId, id))
                .chain(() -> sessions.removeAllOf(connection, tenantId, id)));
    }

    private Uni<Void> finish(UUID tenantId, UUID id) {
        return Multi.createBy().repeating()
                .uni(() -> database.inWorkspace(tenantId,
                        connection -> datasets.deleteExamples(connection, tenantId, id)))
                .whilst(more -> more)
                .onItem().ignoreAsUni()
                .chain(() -> database.inWorkspace(tenantId, connection -> datasets.deleteRow(connection, tenantId, id)));
    }
}
