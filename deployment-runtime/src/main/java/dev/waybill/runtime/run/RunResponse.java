package dev.waybill.runtime.run;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A run on the wire. */
public record RunResponse(UUID runId,
        @Schema(description = "The same as run_id: runs have no threads, but clients make addresses of it.") UUID threadId,
        UUID assistantId, RunStatus status, Instant createdAt, Instant updatedAt,
        @Schema(implementation = Object.class) ObjectNode metadata,
        @Nullable @Schema(description = "Only of a run that failed.") RunError error) {
}
