package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.FormatVersion;

/**
 * An export that may be made.
 *
 * @param endTime of a scheduled export: where its first window ends
 * @param intervalHours makes it a scheduled one; null: a one-off
 * @param exportFields names of fields in the order asked for; null: every exportable field
 * @param filter well-formed, as it was written; null: all runs of the range
 */
public record ExportOrder(UUID destinationId, UUID sessionId, Instant startTime, Instant endTime,
        @Nullable Integer intervalHours,
        FormatVersion version,
        Compression compression, @Nullable List<String> exportFields, @Nullable String filter) {
}
