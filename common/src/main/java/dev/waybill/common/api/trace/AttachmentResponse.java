package dev.waybill.common.api.trace;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A file that belongs to a run.
 *
 * @param name unique among the run's files
 * @param contentType the media type it was sent with; null when it was sent with none
 * @param size in bytes
 */
public record AttachmentResponse(
        @Schema(examples = "chart") String name,
        @Schema(examples = "image/png") @Nullable String contentType,
        @Schema(examples = "48213") int size) {
}
