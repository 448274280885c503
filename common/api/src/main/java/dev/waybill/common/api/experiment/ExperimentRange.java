package dev.waybill.common.api.experiment;

import java.util.UUID;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A condition on the scores of one experiment, or on their differences from the baseline. */
public record ExperimentRange(
        @NotNull(message = "must be given: one of the compared experiments") UUID experimentId,
        @Schema(description = "Greater than this; not with gte.") @Nullable Double gt,
        @Schema(description = "Greater than or equal to this; not with gt.", examples = "-0.5") @Nullable Double gte,
        @Schema(description = "Less than this; not with lte.", examples = "0") @Nullable Double lt,
        @Schema(description = "Less than or equal to this; not with lt.") @Nullable Double lte) {
}
