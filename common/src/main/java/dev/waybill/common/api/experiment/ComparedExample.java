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
 * A row of a comparison: an example, and what each experiment made of it.
 *
 * @param inputsDiffer whether some of the runs had other inputs than those shown
 * @param leftOut members that are null because the answer would have become too large with them
 */
public record ComparedExample(
        UUID exampleId,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String inputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String expectedOutputs,
        @Schema(description = "Whether some of the runs had other inputs than those shown, which are the example's newest.") boolean inputsDiffer,
        @Schema(description = "One for each experiment that ran the example.") List<Run> runs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Members that are null only because the answer would have become too large; absent when there are none.") List<String> leftOut) {

    /**
     * What an experiment made of the example. Of several runs the newest is shown; latency and scores are averages over all.
     *
     * @param n how often it was run
     * @param stdev of the scores that the averages in {@code feedback} are of, where there were several
     */
    @Schema(name = "ComparedRun")
    public record Run(
            UUID experimentId,
            @Schema(description = "Of several runs the newest.") UUID runId,
            @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String outputs,
            @Nullable String error,
            @Schema(description = "Seconds; the average of several runs.") @Nullable Double latency,
            @Schema(description = "Scores by key; the averages of several.", examples = "{\"correct\": 1.0}") Map<String, Double> feedback,
            @Schema(description = "How often the experiment ran the example.") long n,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Of the population, by key, where there were several scores.") Map<String, Double> stdev,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "Members that are null only because the answer would have become too large; absent when there are none.") List<String> leftOut) {
    }
}
