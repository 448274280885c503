package dev.waybill.common.api.export;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of a completed verification.
 *
 * @param intact whether nothing differs
 * @param rowsCounted rows that the runs read from the database
 * @param rowsEncoded rows in the commit records of the files
 * @param rowsInFiles rows in the footers of the files that are intact
 * @param rowsInManifest rows in the manifest; null if it is missing or cannot be parsed
 * @param objectsListed whether the bucket could be searched for unexpected objects
 * @param mismatchesTotal number of objects that differ
 * @param mismatches the first of them, at most 100
 */
@Schema(name = "VerificationResult")
public record VerificationResult(
        @Schema(description = "Whether all rows, files and the manifest are in the bucket as written, and nothing else is.") boolean intact,
        @Schema(description = "Rows that the runs read from the database.") long rowsCounted,
        @Schema(description = "Rows that were encoded, by the commit records of the files.") long rowsEncoded,
        @Schema(description = "Rows in the footers of the intact files.") long rowsInFiles,
        @Nullable @Schema(description = "Rows in the manifest; null if it is missing or invalid.") Long rowsInManifest,
        @Schema(description = "Whether the bucket was searched completely for unexpected objects; false if the credentials do not permit listing or the store does not support it.") boolean objectsListed,
        @Schema(description = "Number of objects that differ.") long mismatchesTotal,
        @Schema(description = "The first objects that differ, at most 100.") List<ObjectMismatch> mismatches) {

    public VerificationResult {
        mismatches = List.copyOf(mismatches);
    }
}
