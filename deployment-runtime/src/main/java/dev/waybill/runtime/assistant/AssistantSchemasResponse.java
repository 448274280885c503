package dev.waybill.runtime.assistant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON Schemas of a graph's input, output, state and configuration; null where its worker reports none. */
record AssistantSchemasResponse(String graphId,
        @Nullable @Schema(implementation = Object.class) JsonNode inputSchema,
        @Nullable @Schema(implementation = Object.class) JsonNode outputSchema,
        @Nullable @Schema(implementation = Object.class) JsonNode stateSchema,
        @Nullable @Schema(implementation = Object.class) JsonNode configSchema,
        @Nullable @Schema(implementation = Object.class) JsonNode contextSchema) {

    static AssistantSchemasResponse of(String graphId, JsonNode schemas) {
        return new AssistantSchemasResponse(graphId, schemas.get("input_schema"), schemas.get("output_schema"),
                schemas.get("state_schema"), schemas.get("config_schema"), schemas.get("context_schema"));
    }
}
