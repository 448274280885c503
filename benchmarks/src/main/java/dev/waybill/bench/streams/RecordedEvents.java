package dev.waybill.bench.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.runtime.ServerEvent;

/** Reads and writes the server-sent events of one run for the baseline servers. */
final class RecordedEvents {

    private RecordedEvents() {
    }

    static void write(List<ServerEvent> events, Path file) {
        ArrayNode frames = Json.object().putArray("frames");
        events.forEach(event -> frames.add(
                "event: " + event.name() + "\ndata: " + event.data() + "\nid: " + event.id() + "\n\n"));
        try {
            Files.createDirectories(file.resolveSibling("."));
            Files.write(file, Json.bytes(frames));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> read(Path file) throws IOException {
        List<String> frames = new ArrayList<>();
        for (JsonNode frame : Json.parse(Files.readAllBytes(file))) {
            frames.add(frame.textValue());
        }
        return frames;
    }
}
