package dev.waybill.experiment.upload;

import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.experiment.dataset.DatasetService;
import dev.waybill.experiment.dataset.DatasetService.TestRunAllocation;
import dev.waybill.experiment.run.TraceTransaction;
import dev.waybill.experiment.run.TraceTransaction.Lock;
import dev.waybill.experiment.session.SessionService;
import dev.waybill.experiment.session.SessionService.NewExperiment;
import dev.waybill.experiment.upload.UploadReader.ParsedUpload;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Stores an upload in one transaction: the dataset, the experiment, then its rows. */
@Singleton
class UploadStore {

    private final TraceTransaction transactions;
    private final DatasetService datasets;
    private final SessionService sessions;
    private final RowWriter rowWriter;
    private final CreatedResourceRecorder idempotency;
    private final Clock clock;

    UploadStore(TraceTransaction transactions, DatasetService datasets, SessionService sessions, RowWriter rowWriter,
            CreatedResourceRecorder idempotency, Clock clock) {
        this.transactions = transactions;
        this.datasets = datasets;
        this.sessions = sessions;
        this.rowWriter = rowWriter;
        this.idempotency = idempotency;
        this.clock = clock;
    }

    /**
     * Completes when the upload is committed.
     *
     * @param batches supplies the rows from the first on; called again when the transaction is retried
     */
    Uni<UploadExperimentResponse> store(UUID tenantId, ParsedUpload upload, Supplier<Multi<List<UploadedRow>>> batches) {
        return transactions.run(tenantId, Lock.SHARED,
                connection -> datasets.allocateTestRun(connection, tenantId, upload.dataset())
                        .chain(allocation -> write(connection, tenantId, allocation, upload, batches.get())));
    }

    private Uni<UploadExperimentResponse> write(SqlConnection connection, UUID tenantId, TestRunAllocation allocation,
            ParsedUpload upload, Multi<List<UploadedRow>> batches) {
        return sessions.createExperiment(connection, tenantId, experiment(upload, allocation))
                .call(created -> writeRows(
                        new RowWriter.Context(connection, tenantId, allocation, created.id(), upload.name(), clock.instant()),
                        upload, batches))
                .call(created -> idempotency.recordCreated(created.id(), connection))
                .chain(created -> datasets.require(connection, tenantId, allocation.datasetId())
                        .map(dataset -> new UploadExperimentResponse(dataset, created)));
    }

    private Uni<Void> writeRows(RowWriter.Context context, ParsedUpload upload, Multi<List<UploadedRow>> batches) {
        return batches
                .onItem().transformToUniAndConcatenate(batch -> rowWriter.write(context, batch))
                .onItem().ignoreAsUni()
                .chain(() -> rowWriter.writeSummary(context, upload.scores()));
    }

    private static NewExperiment experiment(ParsedUpload upload, TestRunAllocation allocation) {
        return new NewExperiment(upload.name(), upload.description(), upload.startTime(), upload.endTime(),
                upload.metadata() == null ? null : upload.metadata().surroundedBy("{\"metadata\":", "}"),
                allocation.datasetId(),
                allocation.testRunNumber());
    }
}
