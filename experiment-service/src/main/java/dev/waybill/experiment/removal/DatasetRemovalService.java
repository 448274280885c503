package dev.waybill.experiment.removal;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.experiment.dataset.DatasetRemovalSteps;
import dev.waybill.experiment.session.SessionRemovalService;
import dev.waybill.experiment.session.WorkspaceGate;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Removes a dataset: in one transaction it and its experiments are hidden, so that nothing can join them; then its examples are
 * deleted, some at a time. The experiments' runs are deleted in the background; what a crash leaves is finished by timers.
 */
@Singleton
class DatasetRemovalService {

    private static final Logger LOG = Logger.getLogger(DatasetRemovalService.class);

    private final Database database;
    private final DatasetRemovalSteps datasets;
    private final SessionRemovalService sessions;
    private final WorkspaceGate gate;

    DatasetRemovalService(Database database, DatasetRemovalSteps datasets, SessionRemovalService sessions, WorkspaceGate gate) {
        this.database = database;
        this.gate = gate;
        this.datasets = datasets;
        this.sessions = sessions;
    }

    /** Removes the dataset, its examples and its experiments; 404 when it is not there. */
    Uni<Void> remove(UUID tenantId, UUID id) {
        return begin(tenantId, id)
                .chain(() -> finish(tenantId, id))
                .invoke(() -> LOG.infof("a dataset and its experiments were deleted %s=%s dataset_id=%s", LogKeys.TENANT_ID,
                        tenantId, id));
    }

    /** Finishes removals that were left behind; those of their experiments have a timer of their own. */
    Uni<Void> finishLeftBehind() {
        return database.everyWorkspace(datasets::leftBehind)
                .onItem().transformToMulti(found -> Multi.createFrom().iterable(found))
                .onItem().transformToUniAndConcatenate(begun -> finish(begun.tenantId(), begun.datasetId()))
                .onItem().ignoreAsUni();
    }

    // The gate before the dataset, as uploads do it: who has the one and waits for the other must not be waited for.
    private Uni<Void> begin(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> gate.enterAlone(connection, tenantId)
                .chain(() -> datasets.begin(connection, tenantId, id))
                .chain(() -> sessions.removeAllOf(connection, tenantId, id)));
    }

    private Uni<Void> finish(UUID tenantId, UUID id) {
        return Multi.createBy().repeating()
                .uni(() -> database.inWorkspace(tenantId,
                        connection -> datasets.removeSomeExamples(connection, tenantId, id)))
                .whilst(more -> more)
                .onItem().ignoreAsUni()
                .chain(() -> database.inWorkspace(tenantId, connection -> datasets.end(connection, tenantId, id)));
    }
}
