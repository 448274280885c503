package dev.waybill.local.tour;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.RunEvent;
import dev.waybill.local.client.WaybillClient;

/**
 * A deployed application, and where its runs are traced to.
 *
 * @param deployment its address
 * @param traces the address of the service that has its traces
 */
public record DeployedApplication(WaybillClient client, URI deployment, URI traces) {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /**
     * Streams a run of the assistant {@code agent}.
     *
     * @param taker gets its events as they come
     * @return its id
     */
    public String stream(String message, String streamMode, Consumer<RunEvent> taker) {
        List<RunEvent> events = new ArrayList<>();
        ObjectNode request = Json.object().put("assistant_id", "agent").put("stream_mode", streamMode);
        request.putObject("input").putArray("messages").addObject().put("role", "user").put("content", message);
        client.stream(deployment.resolve("/runs/stream"), request, event -> {
            events.add(event);
            taker.accept(event);
        });
        if (!events.getLast().name().equals("end")) {
            throw new IllegalStateException("the run did not go through: " + events.getLast());
        }
        return events.getFirst().data().required("run_id").textValue();
    }

    /** What the assistant {@code agent} is said to do, by the revision that serves now. */
    public String description() {
        return client.post(deployment.resolve("/assistants/search"), Json.object()).required(0).path("description").asText();
    }

    /** The run and its steps, root first, once they are there; traces come a little after their runs. */
    public List<JsonNode> awaitTrace(String run, int rows) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            List<JsonNode> found = client.post(traces.resolve("/api/v1/runs/query"), Json.object().put("trace", run))
                    .required("runs").valueStream()
                    .sorted(Comparator.comparing(row -> row.required("dotted_order").textValue()))
                    .toList();
            if (found.size() >= rows) {
                return found;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the trace of run " + run + " has not come after " + LIMIT + ": " + found);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
