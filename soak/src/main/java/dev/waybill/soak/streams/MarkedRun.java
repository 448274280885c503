package dev.waybill.soak.streams;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.waybill.local.client.Json;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;

/**
 * A run that echoes unique tokens, which identify the run and the position of each event.
 *
 * @param marker the prefix of its tokens
 * @param tokens the number of tokens
 */
record MarkedRun(String marker, int tokens) {

    /** Starts the run. */
    void start(StreamingClient client) {
        String text = IntStream.range(0, tokens).mapToObj(this::token).collect(Collectors.joining(" "));
        client.post("/runs/stream", """
                {"assistant_id": "agent", "stream_mode": "messages-tuple",
                 "input": {"messages": [{"role": "user", "content": "%s"}]}}""".formatted(text)
                .getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the stream to its end and returns the run's id. Fails if an event is missing, wrong, unexpected or out of order.
     */
    String requireComplete(StreamingClient client) {
        ServerEvent metadata = require(client, 0, "metadata");
        String run = Json.parse(metadata.data()).path("run_id").asText();
        require(metadata, run + ":0");
        require(client.header("content-location").equals("/runs/" + run), "the run differs from Content-Location: " + metadata);
        for (int i = 0; i < tokens; i++) {
            ServerEvent event = require(client, i + 1, "messages");
            require(event, run + ":" + (i + 1));
            String content = Json.parse(event.data()).at("/0/content").asText();
            require(content.strip().equals(token(i)), "expected token " + i + ", found " + event);
        }
        require(require(client, tokens + 1, "end"), run + ":" + (tokens + 1));
        require(client.next().isEmpty(), "the stream continues after its end event");
        return run;
    }

    private String token(int number) {
        return marker + "-" + number;
    }

    private ServerEvent require(StreamingClient client, int number, String name) {
        Optional<ServerEvent> event = client.next();
        require(event.isPresent() && event.get().name().equals(name),
                "expected " + name + " as event " + number + ", found " + event);
        return event.orElseThrow();
    }

    private void require(ServerEvent event, String id) {
        require(event.id().equals(id), "expected the id " + id + ", found " + event);
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(marker + ": " + message);
        }
    }
}
