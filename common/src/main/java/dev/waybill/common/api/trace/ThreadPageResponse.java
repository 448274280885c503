package dev.waybill.common.api.trace;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of threads, the one with the newest trace first.
 *
 * @param nextCursor null on the last page
 */
public record ThreadPageResponse(List<ThreadResponse> items,
        @Schema(description = "To be sent as cursor with the same request; null on the last page.") @Nullable String nextCursor) {
}
