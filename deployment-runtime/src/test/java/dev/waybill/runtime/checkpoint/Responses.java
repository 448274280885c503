package dev.waybill.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.worker.WorkerRequests.Connection;

/** Responses by request. */
final class Responses implements Connection {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<Long, JsonNode> byId = new ConcurrentHashMap<>();
    private final List<Long> order = new ArrayList<>();

    @Override
    public void send(byte[] line) {
        try {
            JsonNode response = MAPPER.readTree(line);
            synchronized (order) {
                order.add(response.path("id").longValue());
            }
            byId.put(response.path("id").longValue(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Set<String> textTypes() {
        return Set.of("json");
    }

    boolean has(long id) {
        return byId.containsKey(id);
    }

    JsonNode get(long id) {
        assertThat(byId).containsKey(id);
        return byId.get(id);
    }

    List<Long> ids() {
        synchronized (order) {
            return List.copyOf(order);
        }
    }

    List<JsonNode> failures() {
        return byId.values().stream().filter(response -> response.has("error")).toList();
    }
}
