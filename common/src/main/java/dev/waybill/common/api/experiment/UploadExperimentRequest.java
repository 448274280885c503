package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An experiment that was run elsewhere (interface.md 2.8). The service reads bodies of this shape token by token, for they may
 * be too large for memory; this record is for those who send and describe them.
 */
public record UploadExperimentRequest(
        @Schema(required = true, maxLength = 255, examples = "prompt v2, 21 November") String experimentName,
        @Nullable String experimentDescription,
        @Schema(required = true) Instant experimentStartTime,
        @Schema(required = true) Instant experimentEndTime,
        @Schema(description = "Which dataset; this or dataset_name must be given.") @Nullable UUID datasetId,
        @Schema(description = "Which dataset; this or dataset_id must be given.", maxLength = 255, examples = "support questions") @Nullable String datasetName,
        @Nullable String datasetDescription,
        @Schema(description = "Any object; read back as extra.metadata.") @Nullable Map<String, Object> experimentMetadata,
        @Schema(description = "Feedback on the experiment as a whole.") @Nullable List<UploadedFeedback> summaryExperimentScores,
        @Schema(required = true, minItems = 1) List<Row> results) {

    /**
     * One example and the run on it.
     *
     * @param rowId the example's identity within its dataset
     */
    @Schema(name = "ExperimentRow")
    public record Row(
            @Schema(required = true, description = "Who the example is within its dataset.") UUID rowId,
            @Schema(required = true, description = "Any object: inputs of the run and of the example.", examples = "{\"question\": \"why?\"}") Map<String, Object> inputs,
            @Schema(description = "Any object: outputs of the example.") @Nullable Map<String, Object> expectedOutputs,
            @Schema(description = "Any object: outputs of the run.") @Nullable Map<String, Object> actualOutputs,
            @Schema(description = "Feedback on the run.", maxItems = 1000) @Nullable List<UploadedFeedback> evaluationScores,
            @Schema(required = true, description = "Within the experiment's time.") Instant startTime,
            @Schema(required = true, description = "Within the experiment's time, not before start_time.") Instant endTime,
            @Schema(description = "The experiment's name when absent.") @Nullable String runName,
            @Nullable String error,
            @Schema(description = "Any object; read back as extra.metadata of the run.") @Nullable Map<String, Object> runMetadata) {
    }
}
