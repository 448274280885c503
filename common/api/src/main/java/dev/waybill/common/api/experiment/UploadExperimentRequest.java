package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An experiment that was run in an external system. The service parses bodies of this type token by token because they may be
 * too large for memory; this record documents them and serves clients.
 */
public record UploadExperimentRequest(
        @Schema(required = true, maxLength = 255, examples = "prompt v2, 21 November") String experimentName,
        @Nullable String experimentDescription,
        @Schema(required = true) Instant experimentStartTime,
        @Schema(required = true) Instant experimentEndTime,
        @Schema(description = "Id of the dataset; this or dataset_name is required.") @Nullable UUID datasetId,
        @Schema(description = "Name of the dataset; this or dataset_id is required.", maxLength = 255, examples = "support questions") @Nullable String datasetName,
        @Nullable String datasetDescription,
        @Schema(description = "Any object; returned as extra.metadata.") @Nullable Map<String, Object> experimentMetadata,
        @Schema(description = "Feedback on the experiment as a whole.") @Nullable List<UploadedFeedback> summaryExperimentScores,
        @Schema(required = true, minItems = 1) List<Row> results) {

    /**
     * One example and its run.
     *
     * @param rowId identity of the example within its dataset
     */
    @Schema(name = "ExperimentRow")
    public record Row(
            @Schema(required = true, description = "Identity of the example within its dataset.") UUID rowId,
            @Schema(required = true, description = "Any object: inputs of the run and of the example.", examples = "{\"question\": \"why?\"}") Map<String, Object> inputs,
            @Schema(description = "Any object: outputs of the example.") @Nullable Map<String, Object> expectedOutputs,
            @Schema(description = "Any object: outputs of the run.") @Nullable Map<String, Object> actualOutputs,
            @Schema(description = "Feedback on the run.", maxItems = 1000) @Nullable List<UploadedFeedback> evaluationScores,
            @Schema(required = true, description = "Within the experiment's time.") Instant startTime,
            @Schema(required = true, description = "Within the experiment's time, not before start_time.") Instant endTime,
            @Schema(description = "Default: the experiment's name.") @Nullable String runName,
            @Nullable String error,
            @Schema(description = "Any object; returned as extra.metadata of the run.") @Nullable Map<String, Object> runMetadata) {
    }
}
