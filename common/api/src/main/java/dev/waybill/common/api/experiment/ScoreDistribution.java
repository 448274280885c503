package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The distribution of one feedback key of an experiment and the baseline, over all examples with a score in both.
 *
 * @param n number of these examples
 * @param differences histogram of the differences
 * @param scores pairs of scores, counted in a grid of at most 42 by 42 cells
 */
public record ScoreDistribution(
        String feedbackKey,
        UUID experimentId,
        @Schema(description = "Number of examples with a score in both experiments.") long n,
        @Schema(description = "Differences from the baseline in bins of equal width, in ascending order and without gaps. Differences of zero have a bin of their own.") List<Bin> differences,
        @Schema(description = "Pairs of scores in a grid with the same edges for both experiments, at most 42 by 42 cells; empty cells are omitted.") List<Cell> scores) {

    /**
     * Number of differences in a range.
     *
     * @param range as in {@code difference_ranges} of the request
     */
    @Schema(name = "DifferenceBin")
    public record Bin(@Schema(description = "As in difference_ranges of the request.") Range range, long count) {
    }

    /**
     * Number of examples with the score of the baseline in one range and that of the experiment in another.
     *
     * @param baseline as in {@code score_ranges} of the request
     * @param score as in {@code score_ranges} of the request
     */
    @Schema(name = "ScoreCell")
    public record Cell(
            @Schema(description = "Scores of the baseline, as in score_ranges of the request.") Range baseline,
            @Schema(description = "Scores of the experiment, as in score_ranges of the request.") Range score,
            long count) {
    }

    /** A range of numbers; it has one lower and one upper bound. */
    @Schema(name = "NumberRange")
    public record Range(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Greater than this.") @Nullable Double gt,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Greater than or equal to this.") @Nullable Double gte,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Less than this.") @Nullable Double lt,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Less than or equal to this.") @Nullable Double lte) {
    }
}
