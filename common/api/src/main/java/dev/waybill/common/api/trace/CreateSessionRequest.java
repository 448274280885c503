package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Creates a session (a tracing project).
 *
 * @param id id of the session; generated if absent
 * @param startTime now if absent
 * @param extra any object, stored unchanged
 */
public record CreateSessionRequest(
        @Schema(description = "Id of the session; generated if absent.") @Nullable UUID id,
        @NotBlank(message = "must be given and not blank") @Size(max = 255, message = "must have at most 255 characters") @Pattern(regexp = StorableText.REGEXP, message = StorableText.MESSAGE) @Schema(examples = "checkout-agent") String name,
        @Nullable @Pattern(regexp = StorableText.REGEXP, message = StorableText.MESSAGE) String description,
        @Schema(description = "Default: now.") @Nullable Instant startTime,
        @Nullable Instant endTime,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "Any object, stored unchanged.") @Nullable ObjectNode extra,
        @Nullable UUID defaultDatasetId,
        @Schema(description = "The dataset of an experiment.") @Nullable UUID referenceDatasetId,
        @Nullable @Pattern(regexp = "longlived|shortlived", message = "must be longlived or shortlived") String traceTier) {
}
