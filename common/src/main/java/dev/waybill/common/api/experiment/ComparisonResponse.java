package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Experiments of one dataset side by side (contract.md "Experiment upload", comparison).
 *
 * @param experiments as they were asked for; the baseline comes last when it was not among them
 * @param rows the page
 * @param total how many rows there are in all
 */
public record ComparisonResponse(
        @Nullable UUID baselineExperimentId,
        @Schema(description = "As they were asked for; the baseline comes last when it was not among them.") List<ComparedExperiment> experiments,
        List<ComparedExample> rows,
        @Schema(description = "How many rows there are in all.") long total) {
}
