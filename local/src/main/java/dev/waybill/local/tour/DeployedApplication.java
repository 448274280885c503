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
 * A client of a deployed application and of its traces.
 *
 * @param deployment the address of the application
 * @param traces the address of the service that stores its traces
 */
public record DeployedApplication(WaybillClient client, URI deployment, URI traces) {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Streams a run of the assistant {@code agent}, passes its events to the consumer and returns its id. */
    public String stream(String message, String streamMode, Consumer<RunEvent> consumer) {
        List<RunEvent> events = new ArrayList<>();
        ObjectNode request = Json.object().put("assistant_id", "agent").put("stream_mode", streamMode);
        request.putObject("input").putArray("messages").addObject().put("role", "user").put("content", message);
        client.stream(deployment.resolve("/runs/stream"), request, event -> {
            events.add(event);
            consumer.accept(event);
        });
        if (!events.getLast().name().equals("end")) {
            throw new IllegalStateException("the run did not succeed: " + events.getLast());
        }
        return events.getFirst().data().required("run_id").textValue();
    }

    /** Returns the description of the assistant {@code agent} from the active revision. */
    public String description() {
        return client.post(deployment.resolve("/assistants/search"), Json.object()).required(0).path("description").asText();
    }

    /** Waits until the trace of a run is stored and returns its rows, root first. */
    public List<JsonNode> awaitTrace(String run, int rows) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            List<JsonNode> found = client.post(traces.resolve("/api/v1/runs/query"), Json.object().put("trace", run))
                    .required("runs").valueStream()
                    .sorted(Comparator.comparing(row -> row.required("dotted_order").textValue()))
                    .toList();
            if (found.size() >= rows) {
                return found;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the trace of run " + run + " is not stored after " + TIMEOUT + ": " + found);
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
