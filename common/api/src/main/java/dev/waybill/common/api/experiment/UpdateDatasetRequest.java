package dev.waybill.common.api.experiment;

import java.util.Map;
import java.util.UUID;

import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Changes a dataset; null or absent members are unchanged.
 *
 * @param baselineExperimentId default baseline of comparisons
 * @param higherIsBetter by feedback key; replaces the previous setting
 */
public record UpdateDatasetRequest(
        @Nullable @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = "[^\\x00]*[^\\x00\\s][^\\x00]*", message = "must not be blank, nor contain U+0000") String name,
        @Nullable @Pattern(regexp = "[^\\x00]*", message = "must not contain U+0000") String description,
        @Schema(description = "Default baseline of comparisons and gates: an experiment of this dataset.") @Nullable UUID baselineExperimentId,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "By feedback key, whether a higher score is better; true for keys that are absent. Replaces the previous setting.", examples = "{\"answer_length\": false}") Map<String, Boolean> higherIsBetter) {
}
