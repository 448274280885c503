package dev.waybill.common.api.export;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The data that a run has written.
 *
 * @param exportedFiles object keys; empty until the run is completed
 * @param exportPath folder in the bucket
 * @param latestCursor start time of the last row; null until the run is completed, and for a day without rows
 * @param truncatedRows number of runs with truncated texts; null until the run is completed, and without files
 * @param sizesVerified whether the sizes of all files were verified in the bucket; null until the run is completed, and without
 *        files
 */
public record RunResult(long rowsWritten, long bytesWritten,
        @Schema(description = "Object keys; empty until the run is completed.") List<String> exportedFiles,
        @Schema(description = "Folder in the bucket.") String exportPath,
        @Nullable @Schema(description = "Start time of the last row.") String latestCursor,
        @Nullable @Schema(description = "Whether the sizes of the files were verified in the bucket; false if the credentials do not permit reading. Null until the run is completed, and without files.") Boolean sizesVerified,
        @Nullable @Schema(description = "Number of runs that were written with large texts replaced by {\"waybill_truncated\": {\"bytes\", \"sha256\"}} because they exceed the maximum size of a row. Null until the run is completed, and without files.") Long truncatedRows) {
}
