package dev.waybill.experiment.session;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Allocates the numbers of experiments within their dataset, consecutively and together with those of uploads. */
@Singleton
class ExperimentNumberAllocator {

    private final DatasetService datasets;
    private final SessionRepository sessions;

    ExperimentNumberAllocator(DatasetService datasets, SessionRepository sessions) {
        this.datasets = datasets;
        this.sessions = sessions;
    }

    /** Locks the dataset. Callers lock it before they insert the session, as uploads do, which prevents deadlocks. */
    Uni<Void> lockDataset(SqlConnection connection, UUID tenantId, @Nullable UUID datasetId) {
        return datasetId == null ? Uni.createFrom().voidItem() : datasets.lock(connection, tenantId, datasetId);
    }

    /** Allocates a number for an inserted session and returns the session with it. */
    Uni<SessionResponse> assignNumber(SqlConnection connection, UUID tenantId, SessionResponse session) {
        return session.referenceDatasetId() == null
                ? Uni.createFrom().item(session)
                : datasets.allocateTestRun(connection, tenantId, session.referenceDatasetId())
                        .chain(position -> sessions.setNumber(connection, tenantId, session.id(), position.testRunNumber()));
    }
}
