package dev.waybill.common.api.trace;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of threads, ordered by their newest trace, newest first.
 *
 * @param nextCursor null on the last page
 */
public record ThreadPageResponse(List<ThreadResponse> items,
        @Schema(description = "The value for cursor in the next, otherwise identical request; null on the last page.") @Nullable String nextCursor) {
}
