package dev.waybill.common.api.trace;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A file of a run.
 *
 * @param name unique within the run
 * @param contentType media type of the upload; null if it had none
 * @param size in bytes
 */
public record AttachmentResponse(
        @Schema(examples = "chart") String name,
        @Schema(examples = "image/png") @Nullable String contentType,
        @Schema(examples = "48213") int size) {
}
