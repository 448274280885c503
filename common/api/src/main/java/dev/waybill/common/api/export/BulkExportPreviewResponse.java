package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Response of {@code POST /api/v1/bulk-exports/preview}: an estimate of an export within a time limit. */
public record BulkExportPreviewResponse(
        @Schema(description = "Start of the range; for a scheduled export, of its first window.") Instant startTime,
        @Schema(description = "End of the range, exclusive.") Instant endTime,
        @Schema(description = "Number of UTC days in the range, which is the number of runs of the export. For more than 31 days, only days between the project's first and last run have runs.", examples = "7") long days,
        @Nullable @Schema(description = "Number of runs to export; null if the time limit passed before an estimate.", examples = "12345") Long rows,
        @Schema(description = "Whether rows was counted rather than estimated.") boolean rowsAreExact,
        @Nullable @Schema(description = "Estimated total size of all files, from a sample of runs of the whole range written in the export's format; null if no estimate is possible.", examples = "1048576") Long bytesEstimated,
        @Nullable @Schema(description = "Lower bound of the estimated total size; null if bytes_estimated is null.", examples = "786432") Long bytesEstimatedLow,
        @Nullable @Schema(description = "Upper bound of the estimated total size; null if bytes_estimated is null.", examples = "1572864") Long bytesEstimatedHigh,
        @Nullable @Schema(description = "Estimated number of runs that exceed the maximum size of a row and will be written with large texts replaced by {\"waybill_truncated\": {\"bytes\", \"sha256\"}}; null if the time limit passed before sizes were checked.", examples = "0") Long truncatedRows,
        @Schema(description = "The first runs, at most 20, with the fields of the export. Values are texts as in the files; for v2_beta, numbers, booleans and lists have their JSON types.") List<Map<String, @Nullable Object>> runs,
        @Schema(description = "Fields with values in runs that are truncated after 1,000 bytes and end with an ellipsis. The export contains them in full.", examples = "[\"inputs\"]") List<String> truncatedFields,
        @Schema(description = "Whether the time limit of the preview passed; then rows may be null and runs incomplete.") boolean timedOut) {
}
