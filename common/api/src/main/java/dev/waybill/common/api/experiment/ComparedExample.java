package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;

/**
 * A row of a comparison: an example with the results of each experiment.
 *
 * @param inputsDiffer whether some of the runs had other inputs than those of the example
 * @param leftOut members that are null because the response would have become too large with them
 */
public record ComparedExample(
        UUID exampleId,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String inputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String expectedOutputs,
        @Schema(description = "Whether some of the runs had other inputs than those shown, which are the newest of the example.") boolean inputsDiffer,
        @Schema(description = "One entry for each experiment that ran the example.") List<Run> runs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Members that are null only because the response would have become too large; absent if there are none.") List<String> leftOut) {

    /**
     * The results of one experiment for the example. For several runs, the newest is shown; latency and scores are averages
     * over all.
     *
     * @param n number of runs
     * @param stdev standard deviation of the scores, if there were several
     * @param comments comments on the scores; only if the request named the example
     */
    @Schema(name = "ComparedRun")
    public record Run(
            UUID experimentId,
            @Schema(description = "The newest run if there are several.") UUID runId,
            @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String outputs,
            @Nullable String error,
            @Schema(description = "Seconds; the average if there are several runs.") @Nullable Double latency,
            @Schema(description = "Scores by key; the averages if there are several runs.", examples = "{\"correct\": 1.0}") Map<String, Double> feedback,
            @Schema(description = "Number of runs of the example in the experiment.") long n,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Population standard deviation by key, if there were several scores.") Map<String, Double> stdev,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Members that are null only because the response would have become too large; absent if there are none.") List<String> leftOut,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Comments on the feedback of all runs, by key and time; only with example_id. At most 500 of the example.") List<Comment> comments) {
    }

    /**
     * A comment on a score, usually an evaluator's reason.
     *
     * @param score null for feedback with a value only
     */
    @Schema(name = "ComparedComment")
    public record Comment(
            @Schema(examples = "correct") String key,
            @Nullable Double score,
            @Schema(description = "The first 4,000 characters.") String comment,
            UUID runId) {
    }
}
