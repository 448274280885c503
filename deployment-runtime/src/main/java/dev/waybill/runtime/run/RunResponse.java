package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.storage.RunStorage.StoredRun;

/** A run in responses. */
public record RunResponse(UUID runId,
        @Schema(description = "Equal to run_id for a run without a thread, because clients build URLs with it.") UUID threadId,
        UUID assistantId, RunStatus status, Instant createdAt, Instant updatedAt,
        @Schema(implementation = Object.class) ObjectNode metadata,
        @Nullable @Schema(description = "Set for failed runs only.") RunError error,
        @Nullable @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(implementation = String.class, description = "Set for runs on threads only.", enumeration = {
                "reject", "enqueue", "interrupt", "rollback" }) String multitaskStrategy){

    /** Returns a stored run. */
    static RunResponse of(StoredRun run) {
        return of(run, RunStatus.valueOf(run.status().name()), run.updatedAt(), RunError.parse(run.error()));
    }

    /** Returns the response to the request that created a stored run. */
    static RunResponse created(StoredRun run) {
        return of(run, RunStatus.PENDING, run.createdAt(), null);
    }

    private static RunResponse of(StoredRun run, RunStatus status, Instant updatedAt, @Nullable RunError error) {
        return new RunResponse(run.id(), run.thread().thread(), run.assistant(), status, run.createdAt(), updatedAt,
                (ObjectNode) Json.parse(run.metadata().getBytes(StandardCharsets.UTF_8)), error,
                run.strategy().name().toLowerCase(Locale.ROOT));
    }
}
