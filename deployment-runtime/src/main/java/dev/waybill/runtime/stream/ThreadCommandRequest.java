package dev.waybill.runtime.stream;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Body of {@code POST /threads/{thread_id}/commands}. */
record ThreadCommandRequest(
        @NotNull(message = "is required") @Min(value = 0, message = "must be at least 0") @Schema(required = true, description = "Returned with the response.") Long id,
        @NotBlank(message = "is required") @Pattern(regexp = NAME, message = "must be the name of a command") @Schema(required = true, description = "run.start or input.respond.", examples = "run.start") String method,
        @Nullable @Schema(type = SchemaType.OBJECT, implementation = Object.class, description = "run.start: assistant_id, input, config, metadata, multitask_strategy; input.respond: interrupt_id and response, or responses, and update, goto, config, metadata.") ObjectNode params) {

    private static final String NAME = "[A-Za-z]{1,32}([.][A-Za-z]{1,32})?";

    /** Returns a parameter; a missing node if it is absent. */
    JsonNode param(String name) {
        return (params == null ? JsonNodeFactory.instance.objectNode() : params).path(name);
    }
}
