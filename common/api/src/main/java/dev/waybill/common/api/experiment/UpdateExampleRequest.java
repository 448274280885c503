package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Changes an example; null or absent members are unchanged. Parsed token by token like {@link CreateExampleRequest}. */
public record UpdateExampleRequest(
        @Schema(description = "The dataset that the example must belong to.") @Nullable UUID datasetId,
        @Schema(description = "Any object.") @Nullable Map<String, Object> inputs,
        @Schema(description = "Any object.") @Nullable Map<String, Object> outputs,
        @Schema(description = "Replaces the whole object.") @Nullable Map<String, Object> metadata,
        @Schema(description = "Only together with metadata.") @Nullable List<String> split) {
}
