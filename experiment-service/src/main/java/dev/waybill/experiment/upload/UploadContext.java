package dev.waybill.experiment.upload;

import java.time.Instant;
import java.util.UUID;

import dev.waybill.experiment.dataset.TestRunAllocation;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Where rows are written to, within one transaction. */
record UploadContext(SqlConnection connection, UUID tenantId, TestRunAllocation place, UUID sessionId, String experimentName,
        Instant now) {
}
