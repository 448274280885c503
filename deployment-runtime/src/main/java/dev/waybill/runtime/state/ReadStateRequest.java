package dev.waybill.runtime.state;

import jakarta.validation.Valid;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Body of {@code POST /threads/{thread_id}/state/checkpoint}. */
record ReadStateRequest(
        @Nullable @Valid @Schema(description = "Default: the newest checkpoint.") CheckpointRequest checkpoint,
        @Nullable @Schema(defaultValue = "false", description = "Whether tasks contain the states of their subgraphs.") Boolean subgraphs) {
}
