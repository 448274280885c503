package dev.waybill.client;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Starts a run of an assistant on a thread. Members that are null are not sent.
 *
 * @param assistantId name or id of the assistant
 * @param input input of the graph: any JSON value
 * @param command resumes an interrupted run, or changes the state; an alternative to {@code input}
 * @param streamMode kinds of events; {@code values} if absent
 * @param onDisconnect {@code cancel} (default) or {@code continue}
 * @param webhook URL to which the run is posted when it has ended
 * @param afterSeconds delay before the run starts
 * @param ifNotExists {@code create} or {@code reject} (default): effect of a missing thread
 * @param multitaskStrategy {@code enqueue} (default), {@code reject}, {@code interrupt} or {@code rollback}: effect on the
 *        active
 *        runs of the thread
 * @param interruptBefore names of nodes, or {@code *}
 * @param interruptAfter names of nodes, or {@code *}
 * @param checkpoint checkpoint from which the run forks
 * @param checkpointId its id, if that suffices
 * @param durability {@code sync}, {@code async} (default) or {@code exit}
 */
public record ThreadRunRequest(String assistantId, @Nullable JsonNode input, @Nullable JsonNode command,
        @Nullable JsonNode config, @Nullable JsonNode context, @Nullable JsonNode metadata, @Nullable List<String> streamMode,
        @Nullable Boolean streamSubgraphs, @Nullable Boolean streamResumable, @Nullable String onDisconnect,
        @Nullable String webhook, @Nullable BigDecimal afterSeconds, @Nullable String ifNotExists,
        @Nullable String multitaskStrategy, @Nullable JsonNode interruptBefore, @Nullable JsonNode interruptAfter,
        @Nullable JsonNode checkpoint, @Nullable String checkpointId, @Nullable String durability) {

    /** Returns a run with this input. */
    public static ThreadRunRequest of(String assistantId, JsonNode input) {
        return new ThreadRunRequest(assistantId, input, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null);
    }

    /** Returns a run that answers the interrupts of the thread. */
    public static ThreadRunRequest resume(String assistantId, JsonNode command) {
        return new ThreadRunRequest(assistantId, null, command, null, null, null, null, null, null, null, null, null, null,
                null,
                null, null, null, null, null);
    }
}
