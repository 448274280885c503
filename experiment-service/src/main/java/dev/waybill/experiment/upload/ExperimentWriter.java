package dev.waybill.experiment.upload;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.experiment.dataset.DatasetService;
import dev.waybill.experiment.dataset.TestRunAllocation;
import dev.waybill.experiment.session.NewExperiment;
import dev.waybill.experiment.session.SessionService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Writes an upload in the caller's transaction: the dataset, the experiment, then its rows. */
@Singleton
class ExperimentWriter {

    private final DatasetService datasets;
    private final SessionService sessions;
    private final RowWriter rowWriter;
    private final IdempotentCreation idempotency;
    private final Clock clock;

    ExperimentWriter(DatasetService datasets, SessionService sessions, RowWriter rowWriter, IdempotentCreation idempotency,
            Clock clock) {
        this.datasets = datasets;
        this.sessions = sessions;
        this.rowWriter = rowWriter;
        this.idempotency = idempotency;
        this.clock = clock;
    }

    Uni<UploadExperimentResponse> write(SqlConnection connection, UUID tenantId, ParsedUpload upload,
            Multi<List<RowFields>> batches) {
        return datasets.allocateTestRun(connection, tenantId, upload.dataset())
                .chain(allocation -> write(connection, tenantId, allocation, upload, batches));
    }

    private Uni<UploadExperimentResponse> write(SqlConnection connection, UUID tenantId, TestRunAllocation allocation,
            ParsedUpload upload,
            Multi<List<RowFields>> batches) {
        return sessions.createExperiment(connection, tenantId, experiment(upload, allocation))
                .call(created -> writeRows(
                        new UploadContext(connection, tenantId, allocation, created.id(), upload.name(), clock.instant()),
                        upload, batches))
                .call(created -> idempotency.recordCreated(created.id(), connection))
                .chain(created -> response(connection, tenantId, allocation, created));
    }

    private Uni<Void> writeRows(UploadContext context, ParsedUpload upload, Multi<List<RowFields>> batches) {
        return batches
                .onItem().transformToUniAndConcatenate(batch -> rowWriter.write(context, batch))
                .onItem().ignoreAsUni()
                .chain(() -> rowWriter.writeSummary(context, upload.scores()));
    }

    private Uni<UploadExperimentResponse> response(SqlConnection connection, UUID tenantId, TestRunAllocation allocation,
            SessionResponse experiment) {
        return datasets.require(connection, tenantId, allocation.datasetId())
                .map(dataset -> new UploadExperimentResponse(dataset, experiment));
    }

    private static NewExperiment experiment(ParsedUpload upload, TestRunAllocation allocation) {
        return new NewExperiment(upload.name(), upload.description(), upload.startTime(), upload.endTime(),
                upload.metadata() == null ? null : upload.metadata().surroundedBy("{\"metadata\":", "}"),
                allocation.datasetId(),
                allocation.testRunNumber());
    }
}
