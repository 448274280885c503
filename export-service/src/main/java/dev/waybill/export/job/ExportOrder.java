package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.FormatVersion;

/**
 * A one-off export that may be made.
 *
 * @param exportFields names of fields in the order asked for; null: every exportable field
 * @param filter well-formed, as it was written; null: all runs of the range
 */
public record ExportOrder(UUID destinationId, UUID sessionId, Instant startTime, Instant endTime, FormatVersion version,
        Compression compression, @Nullable List<String> exportFields, @Nullable String filter) {
}
