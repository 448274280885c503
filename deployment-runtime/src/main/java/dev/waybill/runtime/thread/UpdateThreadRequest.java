package dev.waybill.runtime.thread;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.NoZeroCharacter;

/** Body of {@code PATCH /threads/{thread_id}}; a member that is missing or null changes nothing. */
record UpdateThreadRequest(
        @Nullable @NoZeroCharacter @Schema(implementation = Object.class, description = "Members to add or replace; at most 64 KiB with the others.") ObjectNode metadata,
        @Nullable @ValidTtl @Schema(implementation = Object.class, description = "Time to live in minutes after the last update, or an object with ttl and strategy: delete (default) or keep_latest.", examples = "60") JsonNode ttl) {
}
