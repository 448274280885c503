package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonRawValue;

import dev.waybill.common.api.Auditable;

/**
 * An example of a dataset; its JSON members are returned as the text that was received.
 *
 * @param rowId identity of the example within its dataset; same as its id unless another dataset already had that id
 */
public record ExampleResponse(
        UUID id,
        UUID datasetId,
        @Schema(description = "Identity of the example within its dataset; same as id unless another dataset already had that id.") UUID rowId,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) String inputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String outputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String metadata,
        @Schema(description = "The run that the example was created from.") @Nullable UUID sourceRunId,
        Instant createdAt,
        Instant modifiedAt) implements Auditable {
}
