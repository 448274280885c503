package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of a quality gate.
 *
 * @param reasons reasons for a failure; empty if all experiments passed
 * @param summary the result in Markdown
 */
public record GateResponse(
        boolean passed,
        @Schema(description = "Reasons for a failure; empty if all experiments passed.", examples = "[\"correct of candidate dropped by 0.12, more than 0.02.\"]") List<String> reasons,
        @Schema(description = "The result in Markdown.") String summary,
        @Nullable UUID baselineExperimentId,
        List<Experiment> experiments) {

    /** The result for one experiment. */
    @Schema(name = "GatedExperiment")
    public record Experiment(UUID id, String name, boolean passed, Map<String, Key> feedback) {
    }

    /**
     * The result for one feedback key of an experiment. Limits that were not requested are null.
     *
     * @param figures same as in a comparison
     */
    @Schema(name = "GatedKey")
    public record Key(
            boolean passed,
            @Nullable Double minScore,
            @Nullable Double maxDrop,
            @Nullable Double confidence,
            @Nullable Double baselineAvg,
            @Schema(description = "Same as in a comparison.") KeyComparison figures) {
    }
}
