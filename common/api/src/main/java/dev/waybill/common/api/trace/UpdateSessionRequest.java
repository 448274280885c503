package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Changes a session; null or absent members are unchanged. */
public record UpdateSessionRequest(
        @Nullable @Size(max = 255, message = "must have at most 255 characters") @Pattern(regexp = "[^\\x00]*[^\\x00\\s][^\\x00]*", message = "must not be blank, nor contain U+0000") String name,
        @Nullable @Pattern(regexp = StorableText.REGEXP, message = StorableText.MESSAGE) String description,
        @Nullable Instant startTime,
        @Nullable Instant endTime,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "Replaces the whole object.") @Nullable ObjectNode extra,
        @Nullable UUID defaultDatasetId,
        @Nullable @Pattern(regexp = "longlived|shortlived", message = "must be longlived or shortlived") String traceTier) {
}
