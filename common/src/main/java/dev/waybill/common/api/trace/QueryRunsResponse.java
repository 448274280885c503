package dev.waybill.common.api.trace;

import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of runs.
 *
 * @param runs each with the members that were selected
 */
public record QueryRunsResponse(
        @Schema(implementation = RunResponse[].class, description = "Each with the members that were selected.") List<Map<String, @Nullable Object>> runs,
        Cursors cursors) {

    /**
     * Where to go on.
     *
     * @param next to be sent as {@code cursor} with the same request; null on the last page
     */
    @Schema(name = "Cursors")
    public record Cursors(
            @Schema(description = "To be sent as cursor with the same request; null on the last page.") @Nullable String next) {
    }
}
