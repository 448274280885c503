package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Whether experiments passed, and why not.
 *
 * @param reasons why not; empty when they passed
 * @param summary the same in Markdown, for a page that people read
 */
public record GateResponse(
        boolean passed,
        @Schema(description = "Why not; empty when they passed.", examples = "[\"correct of candidate dropped by 0.12, more than 0.02.\"]") List<String> reasons,
        @Schema(description = "The same in Markdown.") String summary,
        @Nullable UUID baselineExperimentId,
        List<Experiment> experiments) {

    /** One experiment of a gate. */
    @Schema(name = "GatedExperiment")
    public record Experiment(UUID id, String name, boolean passed, Map<String, Key> feedback) {
    }

    /**
     * One feedback key of an experiment. What was not asked of it is null.
     *
     * @param figures as in a comparison
     */
    @Schema(name = "GatedKey")
    public record Key(
            boolean passed,
            @Nullable Double minScore,
            @Nullable Double maxDrop,
            @Nullable Double confidence,
            @Nullable Double baselineAvg,
            @Schema(description = "As in a comparison.") KeyComparison figures) {
    }
}
