package dev.waybill.common.api.trace;

import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of runs or traces in version 2 of the API.
 *
 * @param items each with the selected members
 * @param nextCursor null on the last page
 */
public record ItemsResponse(
        @Schema(implementation = Object[].class, description = "Each with the selected members.") List<Map<String, @Nullable Object>> items,
        @Schema(description = "The value for cursor in the next, otherwise identical request; null on the last page.") @Nullable String nextCursor) {
}
