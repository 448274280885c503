package dev.waybill.common.api.experiment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonRawValue;

import dev.waybill.common.audit.Auditable;

/**
 * An example of a dataset: its JSON members are the text that came in.
 *
 * @param rowId who it is within its dataset; the same as its id unless another dataset had that
 */
public record ExampleResponse(
        UUID id,
        UUID datasetId,
        @Schema(description = "Who it is within its dataset; the same as its id unless another dataset had that.") UUID rowId,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) String inputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String outputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String metadata,
        @Schema(description = "The run it was made from.") @Nullable UUID sourceRunId,
        Instant createdAt,
        Instant modifiedAt) implements Auditable {
}
