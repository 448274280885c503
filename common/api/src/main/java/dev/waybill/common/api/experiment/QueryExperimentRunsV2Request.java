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

/** Queries the examples of a dataset in version 2 of the API, each with its runs in these experiments. */
@RejectUnknownMembers
public record QueryExperimentRunsV2Request(
        @NotEmpty(message = "must name at least one experiment") @Size(max = 100, message = "must have at most 100 ids") @Nullable List<UUID> experimentIds,
        @Size(max = 100, message = "must have at most 100 ids") @Nullable List<UUID> exampleIds,
        @Min(value = 1, message = "must be 1 to 100") @Max(value = 100, message = "must be 1 to 100") @Schema(description = "Default: 20.") @Nullable Integer pageSize,
        @Schema(description = "next_cursor of the previous page; other members must be unchanged.") @Nullable String cursor,
        @Size(max = 100, message = "must have at most 100 names") @Schema(examples = "[\"ID\", \"OUTPUTS\"]") @Nullable List<String> selects) {
}
