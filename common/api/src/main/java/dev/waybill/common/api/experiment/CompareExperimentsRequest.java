package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Requests a comparison of experiments of one dataset.
 *
 * @param experimentIds experiments to compare
 * @param baselineExperimentId baseline; defaults to that of the dataset, then to the first of the experiments
 * @param feedbackKey feedback key for {@code sort}, {@code filter}, the ranges and the distribution; without it, {@code filter}
 *        applies to any key
 * @param parts {@code summary}, {@code rows}, {@code distribution}; defaults to the first two
 * @param experimentId experiment for {@code sort}, {@code filter} and the distribution; without it, the first two apply to all
 *        experiments
 * @param bins approximate number of bins of the distribution
 * @param exampleId example of the only row to return, with comments
 */
public record CompareExperimentsRequest(
        @NotEmpty(message = "must name 1 to 10 experiments") @Size(max = 10, message = "must name 1 to 10 experiments") List<UUID> experimentIds,
        @Schema(description = "Baseline of the comparison: an experiment of this dataset. Defaults to the dataset's baseline, then to the first of experiment_ids.") @Nullable UUID baselineExperimentId,
        @Nullable @Pattern(regexp = "[^\\x00]*", message = "must not contain U+0000") @Schema(description = "Feedback key for sort, filter, ranges and distribution. Without it, filter applies to any key.", examples = "correct") String feedbackKey,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "By feedback key, whether a higher score is better; overrides the dataset's setting. True for keys in neither.", examples = "{\"answer_length\": false}") Map<String, Boolean> higherIsBetter,
        @Nullable @Pattern(regexp = "example|-?difference", message = "must be example, difference or -difference") @Schema(description = "difference: rows by their difference from the baseline in feedback_key, lowest first; -difference: highest first; example: by example_id.", defaultValue = "example", enumeration = {
                "example", "difference", "-difference" }) String sort,
        @Nullable @Pattern(regexp = "better|worse|same|missing", message = "must be better, worse, same or missing") @Schema(description = "Returns only rows in which at least one experiment (or experiment_id) is better (or worse) than the baseline, all are the same, or some lack a score that others have.", enumeration = {
                "better", "worse", "same", "missing" }) String filter,
        @Nullable @Min(value = 1, message = "must be a whole number, 1 to 100") @Max(value = 100, message = "must be a whole number, 1 to 100") @Schema(defaultValue = "20") Integer limit,
        @Nullable @Min(value = 0, message = "must be a whole number, 0 or more") @Schema(defaultValue = "0") Integer offset,
        @Nullable @Size(min = 1, max = 3, message = "must have 1 to 3 elements") @Schema(description = "Parts of the response, of summary (the experiments), rows and distribution; only these are computed. Defaults to summary and rows.", examples = "[\"rows\"]") List<String> parts,
        @Schema(description = "Experiment to which sort, filter and the distribution apply, other than the baseline. Without it, sort and filter apply to all experiments, and the distribution to the only one that is not the baseline.") @Nullable UUID experimentId,
        @Nullable @Size(max = 10, message = "must have at most 10 ranges") @Schema(description = "Returns only rows whose scores in feedback_key are in all these ranges.") List<@Valid ExperimentRange> scoreRanges,
        @Nullable @Size(max = 10, message = "must have at most 10 ranges") @Schema(description = "Returns only rows whose differences from the baseline in feedback_key are in all these ranges.") List<@Valid ExperimentRange> differenceRanges,
        @Nullable @Min(value = 1, message = "must be a whole number, 1 to 100") @Max(value = 100, message = "must be a whole number, 1 to 100") @Schema(description = "Approximate number of bins of the distribution; their width is 1, 2 or 5 times a power of ten.", defaultValue = "20") Integer bins,
        @Schema(description = "Returns only the row of this example, whatever sort, filter and ranges select, with the comments on its scores.") @Nullable UUID exampleId){
}
