package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.RejectUnknownMembers;

/** Queries the threads (conversations) of a project that have a trace satisfying all conditions. */
@RejectUnknownMembers
public record QueryThreadsRequest(
        @NotNull(message = "must be given") UUID projectId,
        @Schema(description = "Traces that started then or later. Default: a day ago.") @Nullable Instant minStartTime,
        @Schema(description = "Traces that started before. Default: now.") @Nullable Instant maxStartTime,
        @Schema(description = "A filter on the root run of a trace (docs/filters.md).") @Nullable String filter,
        @Schema(description = "Same as filter.") @Nullable String traceFilter,
        @Schema(description = "A filter that some run of a trace must match.") @Nullable String treeFilter,
        @Min(value = 1, message = "must be 1 to 100") @Max(value = 100, message = "must be 1 to 100") @Schema(description = "Default: 20.") @Nullable Integer pageSize,
        @Schema(description = "next_cursor of the previous page; other members must be unchanged.") @Nullable String cursor) {
}
