package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.RejectUnknownMembers;

/** Queries the examples of a dataset, each with its runs in these experiments. */
@RejectUnknownMembers
public record QueryExperimentRunsRequest(
        @NotEmpty(message = "must name at least one experiment") @Size(max = 100, message = "must have at most 100 ids") @Nullable List<UUID> sessionIds,
        @Min(value = 0, message = "must be 0 or more") @Nullable Integer offset,
        @Min(value = 1, message = "must be 1 to 100") @Max(value = 100, message = "must be 1 to 100") @Schema(description = "Default: 20.") @Nullable Integer limit,
        @Schema(description = "Whether runs contain inputs_preview and outputs_preview instead of the full documents.") @Nullable Boolean preview) {
}
