package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An object in the bucket that differs from the export.
 *
 * @param path object key in the bucket
 * @param message one sentence
 * @param expectedBytes null for the manifest and for unexpected objects
 * @param actualBytes null for a missing object
 * @param expectedSha256 null for the manifest and for unexpected objects
 * @param actualSha256 null unless the complete object was read
 */
@Schema(name = "ObjectMismatch")
public record ObjectMismatch(
        @Schema(description = "Object key in the bucket.") String path,
        MismatchKind kind,
        @Schema(description = "The difference in one sentence.") String message,
        @Nullable Long expectedBytes,
        @Nullable Long actualBytes,
        @Nullable String expectedSha256,
        @Nullable @Schema(description = "Set if the complete object was read; a size that differs suffices.") String actualSha256) {
}
