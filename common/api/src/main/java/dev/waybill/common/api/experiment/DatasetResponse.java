package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.Auditable;

/**
 * A dataset.
 *
 * @param externallyManaged whether experiments can be uploaded to the dataset
 * @param sessionCount number of experiments on the dataset
 * @param higherIsBetter by feedback key; true for keys that are absent
 */
public record DatasetResponse(
        UUID id,
        UUID tenantId,
        @Schema(examples = "external-dataset-1f3a9c2e") String name,
        @Nullable String description,
        Instant createdAt,
        Instant modifiedAt,
        @Schema(examples = "kv") String dataType,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable ObjectNode inputsSchemaDefinition,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable ObjectNode outputsSchemaDefinition,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "The extra.metadata of its creation; absent if there was none.") @Nullable ObjectNode metadata,
        @Schema(description = "Whether an upload created the dataset; only then can experiments be uploaded to it.") boolean externallyManaged,
        long exampleCount,
        @Schema(description = "Number of experiments on the dataset.") long sessionCount,
        @Schema(description = "Latest start time of its experiments.") @Nullable Instant lastSessionStartTime,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Default baseline of comparisons; absent if it is not set.") @Nullable UUID baselineExperimentId,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "By feedback key, whether a higher score is better; absent if it is not set.") Map<String, Boolean> higherIsBetter)
        implements
            Auditable {
}
