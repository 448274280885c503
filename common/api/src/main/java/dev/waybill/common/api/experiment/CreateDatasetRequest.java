package dev.waybill.common.api.experiment;

import java.util.UUID;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Creates an ordinary dataset, to which experiments cannot be uploaded.
 *
 * @param id id of the dataset; generated if absent
 */
public record CreateDatasetRequest(
        @Schema(description = "Id of the dataset; generated if absent.") @Nullable UUID id,
        @NotBlank(message = "must be given and not blank") @Size(max = 255, message = "must have at most 255 characters") @Pattern(regexp = TEXT, message = NO_ZERO) @Schema(examples = "support questions") String name,
        @Nullable @Pattern(regexp = TEXT, message = NO_ZERO) String description,
        @Nullable @Pattern(regexp = "kv|llm|chat", message = "must be kv, llm or chat") @Schema(description = "Default: kv.") String dataType,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "A JSON schema, stored unchanged.") @Nullable ObjectNode inputsSchemaDefinition,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "A JSON schema, stored unchanged.") @Nullable ObjectNode outputsSchemaDefinition,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "The member metadata becomes the metadata of the dataset.", examples = "{\"metadata\": {\"team\": \"support\"}}") @Nullable ObjectNode extra) {

    static final String TEXT = "[^\\x00]*";
    static final String NO_ZERO = "must not contain U+0000";
}
