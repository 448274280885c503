package dev.waybill.runtime.run;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A run in responses. */
public record RunResponse(UUID runId,
        @Schema(description = "Equal to run_id: runs have no threads, but clients build URLs with it.") UUID threadId,
        UUID assistantId, RunStatus status, Instant createdAt, Instant updatedAt,
        @Schema(implementation = Object.class) ObjectNode metadata,
        @Nullable @Schema(description = "Set for failed runs only.") RunError error) {
}
