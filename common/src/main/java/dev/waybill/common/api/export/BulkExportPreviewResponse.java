package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Answer of {@code POST /api/v1/bulk-exports/preview}: what an export would bring, as far as a quick look can tell. */
public record BulkExportPreviewResponse(
        @Schema(description = "Start of the range; of a scheduled export its first window.") Instant startTime,
        @Schema(description = "End of the range, exclusive.") Instant endTime,
        @Schema(description = "UTC days that the range touches: as many runs the export will have, or of more than 31 those between the project's first and last run.", examples = "7") long days,
        @Nullable @Schema(description = "How many runs would be exported; null when the time was up before any estimate.", examples = "12345") Long rows,
        @Schema(description = "Whether rows was counted, and not estimated.") boolean rowsAreExact,
        @Nullable @Schema(description = "About the size of all files together, from runs of the whole range written as the export would write them; null when there was nothing to estimate it from.", examples = "1048576") Long bytesEstimated,
        @Nullable @Schema(description = "The least that the files are likely to have together; null with bytes_estimated.", examples = "786432") Long bytesEstimatedLow,
        @Nullable @Schema(description = "The most that the files are likely to have together; null with bytes_estimated.", examples = "1572864") Long bytesEstimatedHigh,
        @Nullable @Schema(description = "About how many runs are larger than a row of an export may be and will be written with large texts replaced by {\"waybill_truncated\": {\"bytes\", \"sha256\"}}; null when there was no time to look at sizes.", examples = "0") Long truncatedRows,
        @Schema(description = "The first runs, at most 20, with the fields that the export would have. Values are texts as in the files; for v2_beta numbers, flags and lists are what they are.") List<Map<String, @Nullable Object>> runs,
        @Schema(description = "Fields of which some value in runs is cut, after 1,000 bytes, and ends in an ellipsis. The export has them whole.", examples = "[\"inputs\"]") List<String> truncatedFields,
        @Schema(description = "Whether the time for a preview was up: then rows may be missing, and runs may be fewer than there are.") boolean timedOut) {
}
