package dev.waybill.runtime.thread;

import java.util.Locale;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.NoZeroCharacter;

/** Body of {@code POST /threads}. */
record CreateThreadRequest(
        @Nullable @Schema(description = "Id of the thread; default: a new one.") UUID threadId,
        @Nullable @NoZeroCharacter @Schema(implementation = Object.class, description = "At most 64 KiB.") ObjectNode metadata,
        @Nullable @Schema(defaultValue = "raise", description = "raise: 409 if the id exists; do_nothing: the existing thread.") IfExists ifExists,
        @Nullable @ValidTtl @Schema(implementation = Object.class, description = "Time to live in minutes after the last update, or an object with ttl and strategy: delete (default) or keep_latest.", examples = "60") JsonNode ttl,
        @Nullable @Schema(implementation = Object[].class, description = "States of the new thread, one after the other: objects with updates, a list of objects with values or command, and as_node. They need graph_id in the metadata.", examples = "[{\"updates\": [{\"values\": {\"messages\": []}, \"as_node\": \"plan\"}]}]") JsonNode supersteps) {

    boolean hasSupersteps() {
        return supersteps != null && !supersteps.isEmpty();
    }

    boolean returnsExisting() {
        return ifExists == IfExists.DO_NOTHING;
    }

    /** Effect of an id that exists. */
    @Schema(enumeration = { "raise", "do_nothing" })
    enum IfExists {
        RAISE,
        DO_NOTHING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
