package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /api/v1/bulk-exports}. The service validates the names of formats and fields, so they are plain text
 * here.
 *
 * @param bulkExportDestinationId destination of the files
 * @param sessionId the tracing project
 * @param startTime first start time of exported runs, inclusive
 * @param endTime end of the start times of exported runs, exclusive; absent for scheduled exports
 * @param filter restricts the exported runs; all runs of the range if absent
 * @param intervalHours makes the export a scheduled one, whose windows are exported 10 minutes after their end
 * @param exportFields columns of the files; all exportable fields if absent
 * @param format {@code Parquet} if absent
 * @param formatVersion {@code v1} if absent
 * @param compression {@code gzip} if absent
 */
public record CreateBulkExportRequest(
        @NotNull(message = "is required") @Schema(description = "Destination of the files.") UUID bulkExportDestinationId,
        @NotNull(message = "is required") @Schema(description = "The tracing project.") UUID sessionId,
        @NotNull(message = "is required") @Schema(description = "Inclusive.", examples = "2026-11-01T00:00:00Z") Instant startTime,
        @Nullable @Schema(description = "Exclusive, not in the future. Required for one-off exports; must be absent for scheduled ones.", examples = "2026-11-08T00:00:00Z") Instant endTime,
        @Nullable @Schema(description = "Filter for the runs of the range: functions and, or, not, eq, neq, gt, gte, lt, lte, like, ilike, has, in, search, exists on the fields of a run and the keys and values of its inputs, outputs and metadata (docs/filters.md). All runs if absent. An invalid filter is rejected with 422, position and expected.", examples = "and(eq(run_type, \"llm\"), gt(latency, 5))") String filter,
        @Nullable @Schema(description = "Makes the export a scheduled one. Window n, from start_time + (n-1) intervals to start_time + n intervals, is exported by a separate export 10 minutes after its end.", minimum = "1", maximum = "168") Integer intervalHours,
        @Nullable @Schema(description = "Columns in this order; all exportable fields if absent.", examples = "[\"id\", \"name\", \"start_time\"]") List<String> exportFields,
        @Nullable @Schema(defaultValue = "Parquet", enumeration = "Parquet") String format,
        @Nullable @Schema(defaultValue = "v1", enumeration = {
                "v1", "v2_beta" }) String formatVersion,
        @Nullable @Schema(defaultValue = "gzip", enumeration = { "none", "gzip", "snappy", "zstandard" }) String compression){

    /** Returns the requested format, or the default. */
    public String formatOrDefault() {
        return format == null ? "Parquet" : format;
    }

    /** Returns the requested format version, or the default. */
    public String formatVersionOrDefault() {
        return formatVersion == null ? "v1" : formatVersion;
    }

    /** Returns the requested compression, or the default. */
    public String compressionOrDefault() {
        return compression == null ? "gzip" : compression;
    }
}
