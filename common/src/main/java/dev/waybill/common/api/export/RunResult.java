package dev.waybill.common.api.export;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a run has written so far.
 *
 * @param exportedFiles keys in the bucket; empty until the run is completed
 * @param exportPath the folder in the bucket
 * @param latestCursor the start time of the last row; null until the run is completed, and for a day without rows
 * @param truncatedRows how many runs have texts that were replaced; null until the run is completed, and without files
 * @param sizesVerified whether the sizes of all files were compared with what the bucket holds; null until the run is completed
 */
public record RunResult(long rowsWritten, long bytesWritten,
        @Schema(description = "Keys in the bucket; empty until the run is completed.") List<String> exportedFiles,
        @Schema(description = "The folder in the bucket.") String exportPath,
        @Nullable @Schema(description = "The start time of the last row.") String latestCursor,
        @Nullable @Schema(description = "Whether the sizes of the files were compared with what the bucket holds; false means not verified, because the credentials may not read. Null until the run is completed, and without files.") Boolean sizesVerified,
        @Nullable @Schema(description = "How many runs were written with large texts replaced by {\"waybill_truncated\": {\"bytes\", \"sha256\"}}, because a row of an export could not hold them. Null until the run is completed, and without files.") Long truncatedRows) {
}
