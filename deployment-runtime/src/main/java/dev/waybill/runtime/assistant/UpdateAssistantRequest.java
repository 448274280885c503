package dev.waybill.runtime.assistant;

import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.JsonSize;
import dev.waybill.runtime.storage.AssistantStorage.Change;
import dev.waybill.runtime.storage.NoZeroCharacter;

/** Body of {@code PATCH /assistants/{assistant_id}}; a member that is missing or null changes nothing. */
record UpdateAssistantRequest(
        @Nullable @Schema(description = "Name of the graph in langgraph.json.", examples = "agent") String graphId,
        @Nullable @NoZeroCharacter @Size(min = 1, max = CreateAssistantRequest.MAX_NAME, message = "must have 1 to 255 characters") String name,
        @Nullable @NoZeroCharacter @Size(max = CreateAssistantRequest.MAX_DESCRIPTION, message = "must have at most 4096 characters") String description,
        @Nullable @JsonSize(max = CreateAssistantRequest.MAX_BYTES) @Schema(implementation = Object.class, description = "Replaces the earlier one; at most 64 KiB.") ObjectNode config,
        @Nullable @JsonSize(max = CreateAssistantRequest.MAX_BYTES) @Schema(implementation = Object.class, description = "Replaces the earlier one; at most 64 KiB.") ObjectNode context,
        @Nullable @Schema(implementation = Object.class, description = "Members to add or replace; at most 64 KiB with the others.") ObjectNode metadata) {

    Change change() {
        return new Change(graphId, name, description, AssistantService.textOrNull(config),
                AssistantService.textOrNull(context), AssistantService.textOrNull(metadata));
    }
}
