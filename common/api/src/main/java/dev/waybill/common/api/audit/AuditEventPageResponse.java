package dev.waybill.common.api.audit;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of events, newest first.
 *
 * @param nextCursor null on the last page
 */
public record AuditEventPageResponse(List<AuditEventResponse> items,
        @Schema(description = "The value for cursor in the next, otherwise identical request; null on the last page.") @Nullable String nextCursor) {
}
