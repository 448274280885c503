package dev.waybill.runtime.assistant;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;
import dev.waybill.runtime.storage.JsonText;

/** An assistant in responses, or a version of one. */
record AssistantResponse(
        @Schema(description = "For the assistant of a graph, the UUIDv5 of the graph's name.") UUID assistantId,
        @Schema(description = "Name of the graph in langgraph.json.", examples = "agent") String graphId,
        String name,
        @Nullable String description,
        @Schema(implementation = Object.class) ObjectNode config,
        @Schema(implementation = Object.class) ObjectNode context,
        @Schema(implementation = Object.class, examples = "{\"created_by\": \"system\"}") ObjectNode metadata,
        int version,
        @Schema(description = "Creation of the assistant; in a list of versions, that of the version.") Instant createdAt,
        @Nullable @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Missing in a list of versions.") Instant updatedAt) {

    static AssistantResponse from(StoredAssistant assistant) {
        return of(assistant, assistant.updatedAt());
    }

    static AssistantResponse ofVersion(StoredAssistant version) {
        return of(version, null);
    }

    private static AssistantResponse of(StoredAssistant assistant, @Nullable Instant updatedAt) {
        var settings = assistant.settings();
        return new AssistantResponse(assistant.id(), settings.graph(), settings.name(), settings.description(),
                JsonText.object(settings.config()), JsonText.object(settings.context()),
                JsonText.object(settings.metadata()), assistant.version(), assistant.createdAt(), updatedAt);
    }
}
