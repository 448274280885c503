package dev.waybill.runtime.assistant;

import java.util.UUID;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.JsonSize;
import dev.waybill.runtime.storage.AssistantStorage.Settings;
import dev.waybill.runtime.storage.NoZeroCharacter;

/** Body of {@code POST /assistants}. */
record CreateAssistantRequest(
        @NotBlank(message = "is required") @Schema(required = true, description = "Name of the graph in langgraph.json.", examples = "agent") String graphId,
        @Nullable @Schema(description = "Id of the assistant; default: a new one.") UUID assistantId,
        @Nullable @NoZeroCharacter @Size(max = MAX_NAME, message = "must have at most 255 characters") @Schema(description = "Default: the name of the graph.") String name,
        @Nullable @NoZeroCharacter @Size(max = MAX_DESCRIPTION, message = "must have at most 4096 characters") String description,
        @Nullable @JsonSize(max = MAX_BYTES) @Schema(implementation = Object.class, description = "Tags, recursion_limit, configurable for all runs of the assistant; at most 64 KiB.") ObjectNode config,
        @Nullable @JsonSize(max = MAX_BYTES) @Schema(implementation = Object.class, description = "Context for all runs of the assistant; at most 64 KiB.") ObjectNode context,
        @Nullable @JsonSize(max = MAX_BYTES) @Schema(implementation = Object.class, description = "Stored with the assistant and its runs; at most 64 KiB.") ObjectNode metadata,
        @Nullable @Pattern(regexp = "raise|do_nothing", message = "must be raise or do_nothing") @Schema(defaultValue = "raise", description = "raise: 409 if the id exists; do_nothing: the existing assistant.") String ifExists) {

    static final int MAX_NAME = 255;
    static final int MAX_DESCRIPTION = 4_096;
    static final int MAX_BYTES = 64 << 10;

    boolean returnsExisting() {
        return "do_nothing".equals(ifExists);
    }

    Settings settings() {
        return new Settings(graphId, name == null || name.isEmpty() ? graphId : name, description,
                AssistantService.text(config), AssistantService.text(context), AssistantService.text(metadata));
    }
}
