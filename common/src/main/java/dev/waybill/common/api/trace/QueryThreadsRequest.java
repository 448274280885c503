package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.RejectUnknownMembers;

/** Which threads (conversations) of a project are asked for: those with a trace of which all that is given holds. */
@RejectUnknownMembers
public record QueryThreadsRequest(
        @NotNull(message = "must be given") UUID projectId,
        @Schema(description = "Traces that started then or later; a day ago when absent.") @Nullable Instant minStartTime,
        @Schema(description = "Traces that started before; now when absent.") @Nullable Instant maxStartTime,
        @Schema(description = "A filter on the root run of a trace (docs/filters.md).") @Nullable String filter,
        @Schema(description = "As filter.") @Nullable String traceFilter,
        @Schema(description = "A filter that some run of a trace must match.") @Nullable String treeFilter,
        @Min(value = 1, message = "must be 1 to 100") @Max(value = 100, message = "must be 1 to 100") @Schema(description = "20 when absent.") @Nullable Integer pageSize,
        @Schema(description = "next_cursor of the page before, with all else unchanged.") @Nullable String cursor) {
}
