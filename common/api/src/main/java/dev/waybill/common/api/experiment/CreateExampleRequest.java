package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Creates an example of an ordinary dataset. The service parses bodies of this type token by token; this record documents them
 * and serves clients.
 */
public record CreateExampleRequest(
        @Schema(description = "Id of the example; generated if absent.") @Nullable UUID id,
        @Schema(required = true) UUID datasetId,
        @Schema(required = true, description = "Any object.", examples = "{\"question\": \"why?\"}") Map<String, Object> inputs,
        @Schema(description = "Any object: the expected outputs.") @Nullable Map<String, Object> outputs,
        @Schema(description = "Any object.") @Nullable Map<String, Object> metadata,
        @Schema(description = "Splits of the dataset that the example belongs to; returned as metadata.dataset_split. A single split may be sent without the array.") @Nullable List<String> split,
        @Schema(description = "The run that the example was created from.") @Nullable UUID sourceRunId,
        @Schema(description = "Default: now.") @Nullable Instant createdAt) {
}
