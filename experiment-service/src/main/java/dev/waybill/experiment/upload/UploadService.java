package dev.waybill.experiment.upload;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.reactive.FairSemaphore;
import dev.waybill.experiment.body.BodyDigest;
import dev.waybill.experiment.body.SpooledBody;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Takes in experiments that were run elsewhere (interface.md 4.3). */
@Singleton
class UploadService {

    private static final Logger LOG = Logger.getLogger(UploadService.class);

    private final Blocking blocking;
    private final UploadReader reader;
    private final UploadStore store;
    private final FairSemaphore turns;

    UploadService(Blocking blocking, UploadReader reader, UploadStore store, UploadConfig config) {
        this.blocking = blocking;
        this.reader = reader;
        this.store = store;
        this.turns = new FairSemaphore(blocking, config.atOnce());
    }

    /**
     * Stores the experiment in {@code body}; what is answered has been committed.
     *
     * @param digest tells a repetition from another request under the same {@code Idempotency-Key}
     */
    @Idempotent
    public Uni<UploadExperimentResponse> upload(BodyDigest digest, UUID tenantId, SpooledBody body) {
        return turns.withPermit(() -> blocking.call(() -> reader.read(body))
                .chain(upload -> store.store(tenantId, upload, () -> pieces(body, upload))))
                .invoke(made -> LOG.infof("an experiment was uploaded %s=%s session_id=%s dataset_id=%s", LogKeys.TENANT_ID,
                        tenantId, made.experiment().id(), made.dataset().id()));
    }

    private Multi<List<RowFields>> pieces(SpooledBody body, ParsedUpload upload) {
        RowBatches pieces = new RowBatches(body, upload.rows(), reader);
        return Multi.createBy().repeating()
                .uni(() -> blocking.call(pieces::next))
                .until(List::isEmpty);
    }
}
