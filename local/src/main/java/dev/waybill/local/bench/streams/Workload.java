package dev.waybill.local.bench.streams;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import dev.waybill.local.client.Json;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;

/**
 * A run that clients start again and again, and what has to come of it.
 *
 * @param body of the request
 * @param tokens how many pieces of a message it streams
 */
record Workload(byte[] body, int tokens) {

    private static final String PIECE = "messages";

    /** @param more members of the request, as JSON */
    static Workload tokens(int tokens, String more) {
        return new Workload(("{\"assistant_id\": \"agent\", \"stream_mode\": \"messages-tuple\", \"input\": {\"messages\":"
                + " [{\"role\": \"user\", \"content\": \"tokens:" + tokens + "\"}]}" + more + "}")
                .getBytes(StandardCharsets.UTF_8), tokens);
    }

    /** Runs it once, from the request to the end of the answer. */
    RunTimes run(StreamingClient client) {
        return run(client, event -> {
        });
    }

    RunTimes run(StreamingClient client, Consumer<ServerEvent> reader) {
        long began = System.nanoTime();
        long firstEvent = 0;
        long firstPiece = 0;
        int pieces = 0;
        client.post("/runs/stream", body);
        for (var event = client.next(); event.isPresent(); event = client.next()) {
            if (firstEvent == 0) {
                firstEvent = System.nanoTime() - began;
            }
            if (event.get().name().equals(PIECE) && pieces++ == 0) {
                firstPiece = System.nanoTime() - began;
            }
            if (event.get().name().equals("error")) {
                throw new IllegalStateException("a run failed: " + Json.parse(event.get().data()));
            }
            reader.accept(event.get());
        }
        if (pieces != tokens) {
            throw new IllegalStateException("a run streamed " + pieces + " pieces instead of " + tokens);
        }
        return new RunTimes(firstEvent, firstPiece, System.nanoTime() - began);
    }

    /**
     * How long one run let its client wait, in nanoseconds from the request.
     *
     * @param firstEvent of whatever kind
     * @param firstPiece that the graph said
     */
    record RunTimes(long firstEvent, long firstPiece, long whole) {
    }
}
