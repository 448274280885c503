package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.FormatVersion;

/**
 * The validated settings of an export to create.
 *
 * @param endTime end of the range, or of the first window of a scheduled export
 * @param intervalHours length of a window; null for a one-off export
 * @param exportFields names of fields in the requested order; null for every exportable field
 * @param filter valid filter expression; null for all runs of the range
 */
public record ExportSpec(UUID destinationId, UUID sessionId, Instant startTime, Instant endTime,
        @Nullable Integer intervalHours,
        FormatVersion version,
        Compression compression, @Nullable List<String> exportFields, @Nullable String filter) {
}
