package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Asks whether experiments are good enough to go on with. A limit is a number for all feedback keys, or an object of numbers by
 * key. Without any, no key may be worse than the baseline with a confidence of 0.95.
 *
 * @param feedbackKeys what numbers for all are about; all keys when absent
 * @param maxDrop how much worse than the baseline's the average may be
 * @param minScore the least average; where lower is better, the greatest
 * @param confidence when given, a drop counts only where it is so sure to be more than {@code maxDrop}
 */
public record GateRequest(
        @Schema(description = "The experiment that is to pass; or several in experiment_ids.") @Nullable UUID experimentId,
        @Nullable @Size(min = 1, max = 10, message = "must name 1 to 10 experiments") List<UUID> experimentIds,
        @Schema(description = "What they are held against; else the dataset's own.") @Nullable UUID baselineExperimentId,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "What a number for all keys is about; all there are when absent.") List<String> feedbackKeys,
        @Nullable @Size(max = 1000, message = "must have at most 1000 keys") @Schema(description = "By feedback key, whether a higher score is the better one; goes before what the dataset says.") Map<String, Boolean> higherIsBetter,
        @Nullable @Schema(implementation = Object.class, description = "How much worse than the baseline's the average may be: a number of 0 or more, or an object of them by key.", examples = "{\"correct\": 0.02}") JsonNode maxDrop,
        @Nullable @Schema(implementation = Object.class, description = "The least average (where lower is better: the greatest): a number, or an object of them by key.", examples = "{\"correct\": 0.8}") JsonNode minScore,
        @Nullable @Schema(implementation = Object.class, description = "0.5 to 0.999, a number or by key: then only a drop that is so surely more than max_drop fails; without it the averages are taken as they are.", examples = "0.95") JsonNode confidence) {
}
