package dev.waybill.runtime.run;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A run in responses. */
public record RunResponse(UUID runId,
        @Schema(description = "Equal to run_id for a run without a thread, because clients build URLs with it.") UUID threadId,
        UUID assistantId, RunStatus status, Instant createdAt, Instant updatedAt,
        @Schema(implementation = Object.class) ObjectNode metadata,
        @Nullable @Schema(description = "Set for failed runs only.") RunError error,
        @Nullable @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(implementation = String.class, description = "Set for runs on threads only.", enumeration = {
                "reject", "enqueue", "interrupt", "rollback" }) String multitaskStrategy){
}
