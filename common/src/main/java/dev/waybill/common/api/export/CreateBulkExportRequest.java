package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /api/v1/bulk-exports} (interface.md 2.4). What the formats and fields are called is the service's
 * business, so they are plain text here.
 *
 * @param bulkExportDestinationId where the files go
 * @param sessionId the tracing project
 * @param startTime the first start time of a run that is exported
 * @param endTime the first start time that is no longer exported; absent for scheduled exports
 * @param filter narrows the exported runs; absent: all of the range
 * @param intervalHours makes the export a scheduled one: every so many hours, 10 minutes after its end, the last window is
 *        exported
 * @param exportFields the columns; absent: every exportable field
 * @param format {@code Parquet} when absent
 * @param formatVersion {@code v1} when absent
 * @param compression {@code gzip} when absent
 */
public record CreateBulkExportRequest(
        @NotNull(message = "is required") @Schema(description = "Where the files go.") UUID bulkExportDestinationId,
        @NotNull(message = "is required") @Schema(description = "The tracing project.") UUID sessionId,
        @NotNull(message = "is required") @Schema(description = "Inclusive.", examples = "2026-11-01T00:00:00Z") Instant startTime,
        @Nullable @Schema(description = "Exclusive, not in the future. Required for one-off exports, to be left out for scheduled ones.", examples = "2026-11-08T00:00:00Z") Instant endTime,
        @Nullable @Schema(description = "Which runs of the range: functions and, or, not, eq, neq, gt, gte, lt, lte, like, ilike, has, in, search, exists over the fields of a run and the keys and values of its inputs, outputs and metadata (docs/filters.md). All when absent. A bad one is a 422 with position and expected.", examples = "and(eq(run_type, \"llm\"), gt(latency, 5))") String filter,
        @Nullable @Schema(description = "Makes the export a scheduled one. Window n, from start_time + (n-1) intervals to start_time + n intervals, becomes an export of its own 10 minutes after its end.", minimum = "1", maximum = "168") Integer intervalHours,
        @Nullable @Schema(description = "Columns, in this order; all exportable fields when absent.", examples = "[\"id\", \"name\", \"start_time\"]") List<String> exportFields,
        @Nullable @Schema(defaultValue = "Parquet", enumeration = "Parquet") String format,
        @Nullable @Schema(defaultValue = "v1", enumeration = {
                "v1", "v2_beta" }) String formatVersion,
        @Nullable @Schema(defaultValue = "gzip", enumeration = { "none", "gzip", "snappy", "zstandard" }) String compression){

    /** The file format that was asked for, or the usual one. */
    public String formatOrDefault() {
        return format == null ? "Parquet" : format;
    }

    /** The format version that was asked for, or the usual one. */
    public String formatVersionOrDefault() {
        return formatVersion == null ? "v1" : formatVersion;
    }

    /** The compression that was asked for, or the usual one. */
    public String compressionOrDefault() {
        return compression == null ? "gzip" : compression;
    }
}
