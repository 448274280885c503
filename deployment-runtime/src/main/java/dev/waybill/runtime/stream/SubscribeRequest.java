package dev.waybill.runtime.stream;

import java.util.List;
import java.util.Set;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.channel.ChannelFilter;

/** Body of {@code POST /threads/{thread_id}/stream/events}. */
record SubscribeRequest(
        @NotEmpty(message = "is required") @Size(max = 100, message = "must have at most 100 channels") @Schema(required = true, description = "values, checkpoints, updates, messages, lifecycle, input, tasks, tools, custom, custom:name; other ones have no events.", examples = "[\"values\", \"lifecycle\"]") List<String> channels,
        @Nullable @Size(max = 1000, message = "must have at most 1000 namespaces") @Schema(description = "Prefixes of namespaces; default all. An empty list is the prefix of all.", examples = "[[]]") List<List<String>> namespaces,
        @Nullable @Min(value = 0, message = "must be at least 0") @Schema(description = "Maximum depth below a prefix; default unlimited.") Integer depth,
        @Nullable @Min(value = 0, message = "must be at least 0") @Schema(description = "Sequence number (seq) of an event: later ones are sent.") Long since) {

    private static final long FROM_START = -1;

    ChannelFilter toFilter() {
        return new ChannelFilter(Set.copyOf(channels), namespaces == null ? List.of() : namespaces,
                depth == null ? Integer.MAX_VALUE : depth, since == null ? FROM_START : since);
    }
}
