package dev.waybill.experiment.upload;

import java.time.Instant;
import java.util.UUID;

import dev.waybill.experiment.dataset.ExperimentPlace;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Where rows are written to, within one transaction. */
record Destination(SqlConnection connection, UUID tenantId, ExperimentPlace place, UUID sessionId, String experimentName,
        Instant now) {
}
