package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Requests a quality gate for experiments. A limit is a number for all feedback keys, or an object of numbers by key. Without
 * any limit, no key may be worse than the baseline with a confidence of 0.95.
 *
 * @param feedbackKeys keys to which numbers apply; all keys if absent
 * @param maxDrop maximum difference by which the average may be worse than the baseline's
 * @param minScore minimum average; for keys where lower is better, the maximum
 * @param confidence if present, a drop counts only if it exceeds {@code maxDrop} with this confidence
 */
public record GateRequest(
        @Schema(description = "The experiment to check; for several, use experiment_ids.") @Nullable UUID experimentId,
        @Nullable @Size(min = 1, max = 10, message = "must name 1 to 10 experiments") List<UUID> experimentIds,
        @Schema(description = "Baseline of the comparison. Defaults to the dataset's baseline.") @Nullable UUID baselineExperimentId,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "Keys to which limits given as a single number apply; all keys if absent.") List<String> feedbackKeys,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "By feedback key, whether a higher score is better; overrides the dataset's setting.") Map<String, Boolean> higherIsBetter,
        @Nullable @Schema(implementation = Object.class, description = "Maximum difference by which the average may be worse than the baseline's: a number of 0 or more, or an object of numbers by key.", examples = "{\"correct\": 0.02}") JsonNode maxDrop,
        @Nullable @Schema(implementation = Object.class, description = "Minimum average (maximum for keys where lower is better): a number, or an object of numbers by key.", examples = "{\"correct\": 0.8}") JsonNode minScore,
        @Nullable @Schema(implementation = Object.class, description = "0.5 to 0.999, a number or an object of numbers by key: the gate fails only if a drop exceeds max_drop with this confidence. Without it, the averages are compared directly.", examples = "0.95") JsonNode confidence) {
}
