package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Asks for experiments of one dataset side by side (contract.md "Experiment upload", comparison).
 *
 * @param experimentIds what is compared
 * @param baselineExperimentId with what; else the dataset's own, else the first of the others
 * @param feedbackKey what {@code sort} and {@code filter} speak of; without it {@code filter} speaks of any key
 */
public record CompareExperimentsRequest(
        @NotEmpty(message = "must name 1 to 10 experiments") @Size(max = 10, message = "must name 1 to 10 experiments") List<UUID> experimentIds,
        @Schema(description = "What the others are compared with: an experiment of this dataset. Else the dataset's own, else the first of experiment_ids.") @Nullable UUID baselineExperimentId,
        @Nullable @Pattern(regexp = "[^\\x00]*", message = "must not contain U+0000") @Schema(description = "What sort and filter speak of. Without it filter speaks of any key.", examples = "correct") String feedbackKey,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "By feedback key, whether a higher score is the better one; goes before what the dataset says. It is for keys that neither names.", examples = "{\"answer_length\": false}") Map<String, Boolean> higherIsBetter,
        @Nullable @Pattern(regexp = "example|-?difference", message = "must be example, difference or -difference") @Schema(description = "difference: rows by their difference to the baseline in feedback_key, the lowest first; -difference: the highest first; example: by example_id.", defaultValue = "example", enumeration = {
                "example", "difference", "-difference" }) String sort,
        @Nullable @Pattern(regexp = "better|worse|same|missing", message = "must be better, worse, same or missing") @Schema(description = "Only rows in which at least one experiment is better (or worse) than the baseline, in which all are the same, or in which some have no score that others have.", enumeration = {
                "better", "worse", "same", "missing" }) String filter,
        @Nullable @Min(value = 1, message = "must be a whole number, 1 to 100") @Max(value = 100, message = "must be a whole number, 1 to 100") @Schema(defaultValue = "20") Integer limit,
        @Nullable @Min(value = 0, message = "must be a whole number, 0 or more") @Schema(defaultValue = "0") Integer offset){
}
