package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.audit.Auditable;

/**
 * A dataset (interface.md 2.9, {@code dataset}).
 *
 * @param externallyManaged whether uploads made it and may add to it
 * @param sessionCount how many experiments were run on it
 * @param higherIsBetter by feedback key; what is not in it is better when it is higher
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
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "What it was created with as extra.metadata; absent when there was none.") @Nullable ObjectNode metadata,
        @Schema(description = "Whether uploads made it; only then may they add to it.") boolean externallyManaged,
        long exampleCount,
        @Schema(description = "How many experiments were run on it.") long sessionCount,
        @Schema(description = "The latest start of its experiments.") @Nullable Instant lastSessionStartTime,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "What comparisons are made against unless they say otherwise; told once it is set.") @Nullable UUID baselineExperimentId,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "By feedback key, whether a higher score is the better one; told once it is set.") Map<String, Boolean> higherIsBetter)
        implements
            Auditable {
}
