package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Changes an example; what is null or absent stays as it is. Read token by token as {@link CreateExampleRequest}. */
public record UpdateExampleRequest(
        @Schema(description = "The dataset it must be of.") @Nullable UUID datasetId,
        @Schema(description = "Any object.") @Nullable Map<String, Object> inputs,
        @Schema(description = "Any object.") @Nullable Map<String, Object> outputs,
        @Schema(description = "Replaces the whole object.") @Nullable Map<String, Object> metadata,
        @Schema(description = "Together with metadata only.") @Nullable List<String> split) {
}
