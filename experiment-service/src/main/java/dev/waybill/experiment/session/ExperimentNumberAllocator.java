package dev.waybill.experiment.session;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Gives sessions that are experiments their number in their dataset: the same count as that of uploads, without gaps. */
@Singleton
class ExperimentNumberAllocator {

    private final DatasetService datasets;
    private final SessionRepository sessions;

    ExperimentNumberAllocator(DatasetService datasets, SessionRepository sessions) {
        this.datasets = datasets;
        this.sessions = sessions;
    }

    /** Before the session is made, as uploads do it: two that come at once wait for each other and not in a circle. */
    Uni<Void> lock(SqlConnection connection, UUID tenantId, @Nullable UUID datasetId) {
        return datasetId == null ? Uni.createFrom().voidItem() : datasets.lock(connection, tenantId, datasetId);
    }

    /** The session with its number, which is taken only now that the session is really there. */
    Uni<SessionResponse> number(SqlConnection connection, UUID tenantId, SessionResponse session) {
        return session.referenceDatasetId() == null
                ? Uni.createFrom().item(session)
                : datasets.allocateTestRun(connection, tenantId, session.referenceDatasetId())
                        .chain(place -> sessions.number(connection, tenantId, session.id(), place.testRunNumber()));
    }
}
