package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Range, buckets and durations of figures, and the transaction that reads them.
 *
 * @param from start of the range; null for no limit
 * @param to end of the range; null for no limit
 */
record SummaryQuery(SqlConnection connection, UUID tenantId, @Nullable Instant from, @Nullable Instant to, Buckets buckets,
        DurationSelection durations) {
}
