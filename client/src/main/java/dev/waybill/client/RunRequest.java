package dev.waybill.client;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Starts a run of an assistant. Members that are null are not sent.
 *
 * @param assistantId name or id of the assistant
 * @param input input of the graph: any JSON value
 * @param command resumes an interrupted graph; an alternative to {@code input}
 * @param streamMode kinds of events; {@code values} if absent
 * @param onDisconnect {@code cancel} (default) or {@code continue}
 * @param webhook URL to which the run is posted when it has ended
 * @param afterSeconds delay before the run starts
 */
public record RunRequest(String assistantId, @Nullable JsonNode input, @Nullable JsonNode command, @Nullable JsonNode config,
        @Nullable JsonNode context, @Nullable JsonNode metadata, @Nullable List<String> streamMode,
        @Nullable Boolean streamSubgraphs, @Nullable Boolean streamResumable, @Nullable String onDisconnect,
        @Nullable String webhook, @Nullable BigDecimal afterSeconds) {

    public static RunRequest of(String assistantId, JsonNode input) {
        return new RunRequest(assistantId, input, null, null, null, null, null, null, null, null, null, null);
    }

    /** Returns a copy that asks for these kinds of events, such as {@code updates} or {@code messages-tuple}. */
    public RunRequest withStreamMode(String... modes) {
        return new RunRequest(assistantId, input, command, config, context, metadata, List.of(modes), streamSubgraphs,
                streamResumable, onDisconnect, webhook, afterSeconds);
    }

    /** Returns a copy whose run continues after a disconnect, so that the client can join its stream again. */
    public RunRequest resumable() {
        return new RunRequest(assistantId, input, command, config, context, metadata, streamMode, streamSubgraphs, true,
                "continue", webhook, afterSeconds);
    }
}
