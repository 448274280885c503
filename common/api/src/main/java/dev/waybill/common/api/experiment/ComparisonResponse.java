package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A comparison of experiments of one dataset, or the requested parts of it.
 *
 * @param experiments in the order of the request; the baseline is last if the request did not include it
 * @param rows the requested page
 * @param total total number of rows
 */
public record ComparisonResponse(
        @Nullable UUID baselineExperimentId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "In the order of the request; the baseline is last if the request did not include it. Absent without the part summary.") @Nullable List<ComparedExperiment> experiments,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "The requested page. Absent without the part rows.") @Nullable List<ComparedExample> rows,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Total number of rows. Absent without the part rows.") @Nullable Long total,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Absent without the part distribution.") @Nullable ScoreDistribution distribution) {
}
