package dev.waybill.local.soak.streams;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.waybill.local.client.Json;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;

/**
 * A run that echoes words which no other run has, so that every event says whose it is and the how manieth.
 *
 * @param marker that its words begin with
 * @param words how many
 */
record MarkedRun(String marker, int words) {

    /** Starts it. */
    void begin(StreamingClient client) {
        String text = IntStream.range(0, words).mapToObj(this::word).collect(Collectors.joining(" "));
        client.post("/runs/stream", """
                {"assistant_id": "agent", "stream_mode": "messages-tuple",
                 "input": {"messages": [{"role": "user", "content": "%s"}]}}""".formatted(text)
                .getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads it whole.
     *
     * @return the run's id
     * @throws IllegalStateException when an event is missing, another run's, out of order, or one too many
     */
    String requireWhole(StreamingClient client) {
        ServerEvent metadata = require(client, 0, "metadata");
        String run = Json.parse(metadata.data()).path("run_id").asText();
        require(metadata, run + ":0");
        require(client.header("content-location").equals("/runs/" + run), "another run than its head says: " + metadata);
        for (int i = 0; i < words; i++) {
            ServerEvent event = require(client, i + 1, "messages");
            require(event, run + ":" + (i + 1));
            String said = Json.parse(event.data()).at("/0/content").asText();
            require(said.strip().equals(word(i)), "instead of word " + i + " came " + event);
        }
        require(require(client, words + 1, "end"), run + ":" + (words + 1));
        require(client.next().isEmpty(), "something came behind the end");
        return run;
    }

    private String word(int number) {
        return marker + "-" + number;
    }

    private ServerEvent require(StreamingClient client, int number, String name) {
        Optional<ServerEvent> event = client.next();
        require(event.isPresent() && event.get().name().equals(name),
                "instead of " + name + " came as event " + number + " " + event);
        return event.orElseThrow();
    }

    private void require(ServerEvent event, String id) {
        require(event.id().equals(id), "instead of the id " + id + " came " + event);
    }

    private void require(boolean held, String otherwise) {
        if (!held) {
            throw new IllegalStateException(marker + ": " + otherwise);
        }
    }
}
