package dev.waybill.common.api.trace;

import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of runs or traces in version 2 of the API.
 *
 * @param items each with the members that were selected
 * @param nextCursor null on the last page
 */
public record ItemsResponse(
        @Schema(implementation = Object[].class, description = "Each with the members that were selected.") List<Map<String, @Nullable Object>> items,
        @Schema(description = "To be sent as cursor with the same request; null on the last page.") @Nullable String nextCursor) {
}
