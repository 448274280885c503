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

/** Writes an upload within the caller's transaction: the dataset, the experiment, then its rows. */
@Singleton
class ExperimentWriter {

    private final DatasetService datasets;
    private final SessionService sessions;
    private final RowWriter rowWriter;
    private final IdempotentCreation mark;
    private final Clock clock;

    ExperimentWriter(DatasetService datasets, SessionService sessions, RowWriter rowWriter, IdempotentCreation mark,
            Clock clock) {
        this.datasets = datasets;
        this.sessions = sessions;
        this.rowWriter = rowWriter;
        this.mark = mark;
        this.clock = clock;
    }

    Uni<UploadExperimentResponse> write(SqlConnection connection, UUID tenantId, ParsedUpload upload,
            Multi<List<RowFields>> pieces) {
        return datasets.takePlace(connection, tenantId, upload.dataset())
                .chain(place -> write(connection, tenantId, place, upload, pieces));
    }

    private Uni<UploadExperimentResponse> write(SqlConnection connection, UUID tenantId, TestRunAllocation place, ParsedUpload upload,
            Multi<List<RowFields>> pieces) {
        return sessions.createExperiment(connection, tenantId, experiment(upload, place))
                .call(made -> writeRows(new UploadContext(connection, tenantId, place, made.id(), upload.name(), clock.instant()),
                        upload, pieces))
                .call(made -> mark.recordCreated(made.id(), connection))
                .chain(made -> answer(connection, tenantId, place, made));
    }

    private Uni<Void> writeRows(UploadContext to, ParsedUpload upload, Multi<List<RowFields>> pieces) {
        return pieces
                .onItem().transformToUniAndConcatenate(piece -> rowWriter.write(to, piece))
                .onItem().ignoreAsUni()
                .chain(() -> rowWriter.writeSummary(to, upload.scores()));
    }

    private Uni<UploadExperimentResponse> answer(SqlConnection connection, UUID tenantId, TestRunAllocation place,
            SessionResponse experiment) {
        return datasets.require(connection, tenantId, place.datasetId())
                .map(dataset -> new UploadExperimentResponse(dataset, experiment));
    }

    private static NewExperiment experiment(ParsedUpload upload, TestRunAllocation place) {
        return new NewExperiment(upload.name(), upload.description(), upload.startTime(), upload.endTime(),
                upload.metadata() == null ? null : upload.metadata().within("{\"metadata\":", "}"), place.datasetId(),
                place.testRunNumber());
    }
}
