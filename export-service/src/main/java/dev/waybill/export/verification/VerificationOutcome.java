package dev.waybill.export.verification;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.verification.BucketSearch.SearchResult;
import dev.waybill.export.verification.CheckedFiles.Checkpoint;
import dev.waybill.export.verification.ManifestVerifier.ManifestResult;

/**
 * The outcome of a verification that has read all objects.
 *
 * @param rowsInManifest null if the manifest is missing or invalid
 * @param manifestSha256 null if the manifest was not read completely
 * @param objectsListed whether the bucket was searched for unexpected objects
 */
record VerificationOutcome(Checkpoint files, long rowsCounted, long rowsEncoded, @Nullable Long rowsInManifest,
        @Nullable String manifestSha256, boolean objectsListed, Mismatches mismatches) {

    static VerificationOutcome of(ExpectedExport export, ManifestResult manifest, Checkpoint files, SearchResult search) {
        Mismatches ofManifest = manifest.mismatch() == null ? Mismatches.NONE : Mismatches.of(manifest.mismatch());
        return new VerificationOutcome(files, export.rowsCounted(), export.rows(), manifest.rows(),
                manifest.sha256(), search.listed(),
                ofManifest.plus(files.mismatches()).plus(search.unexpected()));
    }

    /** Returns whether all objects are as written: counted, encoded, in the files and in the manifest are the same rows. */
    boolean isIntact() {
        return mismatches.total() == 0 && rowsCounted == rowsEncoded && rowsEncoded == files.rows()
                && rowsInManifest != null && rowsInManifest == rowsEncoded;
    }
}
