package dev.waybill.common.sse;

import java.util.function.Supplier;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;

/**
 * Writes server-sent events. The next part of a stream is written after the client has received the previous one, so a slow
 * client needs no more memory than a fast one.
 */
public final class ServerSentEvents {

    /** A comment, which keeps the connection open and detects disconnected clients. */
    public static final String HEARTBEAT = ": heartbeat\n\n";

    private ServerSentEvents() {
    }

    /** Sets the headers of the response. */
    public static void begin(HttpServerResponse client) {
        client.setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no");
    }

    /** Writes the parts of a stream until the last one, or until the client disconnects, and ends the response. */
    public static Uni<Void> writeAll(HttpServerResponse client, Supplier<Uni<Chunk>> next) {
        return Multi.createBy().repeating()
                .uni(() -> next.get().call(chunk -> write(client, chunk.text())))
                .whilst(chunk -> !chunk.isLast() && !client.closed())
                .collect().last()
                .chain(() -> client.closed() ? Uni.createFrom().voidItem()
                        : Uni.createFrom().completionStage(client.end().toCompletionStage()));
    }

    /** Writes text, unless the client has disconnected. */
    public static Uni<Void> write(HttpServerResponse client, String text) {
        return client.closed() || text.isEmpty() ? Uni.createFrom().voidItem()
                : Uni.createFrom().completionStage(client.write(text).toCompletionStage())
                        // The client has disconnected; the next check of the connection ends the stream.
                        .onFailure().recoverWithNull();
    }

    /** Returns an event without an id. */
    public static String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }

    /** Returns an event from which the client can resume. */
    public static String event(String name, long id, String data) {
        return "event: " + name + "\nid: " + id + "\ndata: " + data + "\n\n";
    }

    /** Part of a stream: any number of events or comments. */
    public record Chunk(String text, boolean isLast) {
    }
}
