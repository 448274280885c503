package dev.waybill.runtime.assistant;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An assistant in responses. Assistants of an application are created by the system, without a configuration of their own. */
record AssistantResponse(
        @Schema(description = "The UUIDv5 of the graph's name.") UUID assistantId,
        @Schema(description = "Name of the graph in langgraph.json.", examples = "agent") String graphId,
        String name,
        @Nullable String description,
        Map<String, Object> config,
        Map<String, Object> context,
        @Schema(examples = "{\"created_by\": \"system\"}") Map<String, Object> metadata,
        int version,
        Instant createdAt,
        Instant updatedAt) {

    static AssistantResponse from(Assistant assistant) {
        return new AssistantResponse(assistant.id(), assistant.graphId(), assistant.graphId(), assistant.description(),
                Map.of(),
                Map.of(), Map.of("created_by", "system"), 1, assistant.createdAt(), assistant.createdAt());
    }
}
