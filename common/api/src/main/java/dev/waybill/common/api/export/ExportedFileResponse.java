package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A file that an export has written.
 *
 * @param bulkExportId the export; one of those that a scheduled export created, if the files of the schedule are listed
 * @param runId the run that wrote the file
 * @param path object key in the bucket
 * @param sha256 digest of the file, in hexadecimal
 * @param minStartTime start time of the first row
 * @param maxStartTime start time of the last row
 * @param truncatedRows number of rows with texts that were replaced because they are too large
 * @param sizeVerified whether the size was verified in the bucket after writing
 */
@Schema(name = "ExportedFile")
public record ExportedFileResponse(
        @Schema(description = "The export that wrote the file; for a scheduled export, one of the exports that it created.") UUID bulkExportId,
        @Schema(description = "The run that wrote the file.") UUID runId,
        @Schema(description = "Object key in the bucket, as in the manifest.") String path,
        long rows, long bytes,
        @Schema(description = "SHA-256 of the file, in hexadecimal.") String sha256,
        @Schema(description = "Start time of the first row.") Instant minStartTime,
        @Schema(description = "Start time of the last row.") Instant maxStartTime,
        @Schema(description = "Number of rows with texts that were replaced because they exceed the maximum size of a row.") long truncatedRows,
        @Nullable @Schema(description = "Whether the size was verified in the bucket after writing; false if the credentials do not permit reading.") Boolean sizeVerified) {
}
