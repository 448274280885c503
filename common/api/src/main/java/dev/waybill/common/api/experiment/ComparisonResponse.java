package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of experiments of one dataset.
 *
 * @param experiments in the order of the request; the baseline is last if the request did not include it
 * @param rows the requested page
 * @param total total number of rows
 */
public record ComparisonResponse(
        @Nullable UUID baselineExperimentId,
        @Schema(description = "In the order of the request; the baseline is last if the request did not include it.") List<ComparedExperiment> experiments,
        List<ComparedExample> rows,
        @Schema(description = "Total number of rows.") long total) {
}
