package dev.waybill.experiment.upload;

import java.time.Instant;
import java.util.UUID;

import dev.waybill.experiment.dataset.TestRunAllocation;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** The transaction, dataset and experiment that the rows of an upload are written to. */
record UploadContext(SqlConnection connection, UUID tenantId, TestRunAllocation allocation, UUID sessionId,
        String experimentName,
        Instant now) {
}
