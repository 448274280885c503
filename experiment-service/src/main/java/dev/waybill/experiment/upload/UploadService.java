package dev.waybill.experiment.upload;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.body.BodyDigest;
import dev.waybill.experiment.body.BodySpooler;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Stores experiments that were run in other systems (interface.md 4.3). */
@Singleton
class UploadService {

    private static final Logger LOG = Logger.getLogger(UploadService.class);
    // Each upload uses a database connection and a transaction of up to a minute.
    private static final int MAX_CONCURRENT = 4;

    private final Blocking blocking;
    private final UploadReader reader;
    private final UploadStore store;
    private final ChangeRecorder changes;
    private final KeyedSemaphore semaphore;

    UploadService(Blocking blocking, UploadReader reader, UploadStore store, ChangeRecorder changes) {
        this.blocking = blocking;
        this.reader = reader;
        this.store = store;
        this.changes = changes;
        this.semaphore = new KeyedSemaphore(MAX_CONCURRENT);
    }

    /**
     * Stores the experiment in {@code body}; it is committed when the result is available.
     *
     * @param digest identifies the body for {@code Idempotency-Key}
     */
    @Idempotent
    public Uni<UploadExperimentResponse> upload(BodyDigest digest, UUID tenantId, BodySpooler.SpooledBody body) {
        return semaphore.withPermit(blocking, () -> blocking.call(() -> reader.read(body))
                .chain(upload -> store.store(tenantId, upload, () -> batches(body, upload))))
                .invoke(created -> changes.ofSession(tenantId, ChangeType.EXPERIMENT, created.experiment().id(),
                        created.dataset().id()))
                .invoke(created -> LOG.infof("an experiment was uploaded %s=%s session_id=%s dataset_id=%s", LogKeys.TENANT_ID,
                        tenantId, created.experiment().id(), created.dataset().id()));
    }

    private Multi<List<UploadedRow>> batches(BodySpooler.SpooledBody body, UploadReader.ParsedUpload upload) {
        UploadReader.RowBatches batches = new UploadReader.RowBatches(body, upload.rows(), reader);
        return Multi.createBy().repeating()
                .uni(() -> blocking.call(batches::next))
                .until(List::isEmpty);
    }
}
