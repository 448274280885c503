package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A new example of an ordinary dataset. The service reads bodies of this shape token by token; this record is for those who
 * send
 * and describe them.
 */
public record CreateExampleRequest(
        @Schema(description = "The id it shall have; made when absent.") @Nullable UUID id,
        @Schema(required = true) UUID datasetId,
        @Schema(required = true, description = "Any object.", examples = "{\"question\": \"why?\"}") Map<String, Object> inputs,
        @Schema(description = "Any object: what is expected.") @Nullable Map<String, Object> outputs,
        @Schema(description = "Any object.") @Nullable Map<String, Object> metadata,
        @Schema(description = "The parts of the dataset it belongs to; read back as metadata.dataset_split. One may stand without the array.") @Nullable List<String> split,
        @Schema(description = "The run it was made from.") @Nullable UUID sourceRunId,
        @Schema(description = "Now when absent.") @Nullable Instant createdAt) {
}
