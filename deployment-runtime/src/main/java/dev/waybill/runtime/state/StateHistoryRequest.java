package dev.waybill.runtime.state;

import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.ValidFilter;

/** Body of {@code POST /threads/{thread_id}/history}. */
record StateHistoryRequest(
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @ValidBefore @Schema(implementation = Object.class, description = "Id of a checkpoint, or an object with checkpoint_id, before which the states are.") JsonNode before,
        @Nullable @ValidFilter @Schema(implementation = Object.class, description = "Members that the metadata of the states must contain.") ObjectNode metadata,
        @Nullable @Valid @Schema(description = "Namespace, or the only state.") CheckpointRequest checkpoint) {

    private static final int DEFAULT_LIMIT = 10;

    int maxStates() {
        return limit == null ? DEFAULT_LIMIT : limit;
    }

    /** Returns the id of the checkpoint before which the states are; null for the newest ones. */
    @Nullable
    UUID beforeId() {
        return ValidBefore.Check.parse(before).orElse(null);
    }
}
