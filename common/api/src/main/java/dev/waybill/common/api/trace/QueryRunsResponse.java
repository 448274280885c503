package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One page of runs.
 *
 * @param runs each with the selected members
 * @param searchedUntil set if the page ended at the time limit of a page
 */
public record QueryRunsResponse(
        @Schema(implementation = RunResponse[].class, description = "Each with the selected members.") List<Map<String, @Nullable Object>> runs,
        Cursors cursors,
        @Schema(description = "Start time of the last run that was searched, if the page ended at its time limit; cursors.next continues after it. Otherwise null.") @Nullable Instant searchedUntil) {

    /**
     * Cursors for further pages.
     *
     * @param next value for {@code cursor} in the next, otherwise identical request; null on the last page
     */
    @Schema(name = "Cursors")
    public record Cursors(
            @Schema(description = "The value for cursor in the next, otherwise identical request; null on the last page.") @Nullable String next) {
    }
}
