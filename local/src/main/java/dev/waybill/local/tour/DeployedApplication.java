package dev.waybill.local.tour;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.client.AssistantClient.Assistant;
import dev.waybill.client.AssistantClient.AssistantFilter;
import dev.waybill.client.RunEvent;
import dev.waybill.client.RunRequest;
import dev.waybill.client.RunStream;
import dev.waybill.client.ThreadClient.NewThread;
import dev.waybill.client.ThreadRunRequest;
import dev.waybill.client.WaybillClients;
import dev.waybill.local.client.Json;
import dev.waybill.local.storage.Wait;

/**
 * A client of a deployed application and of its traces.
 *
 * @param deployment the address of the application
 * @param traces the address of the service that stores its traces
 */
public record DeployedApplication(WaybillClients clients, URI deployment, URI traces) {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** Returns a request for a run of the assistant {@code agent} with a message of the user. */
    public static RunRequest request(String message) {
        return RunRequest.of("agent", input(message));
    }

    private static ObjectNode input(String message) {
        ObjectNode input = Json.object();
        input.putArray("messages").addObject().put("role", "user").put("content", message);
        return input;
    }

    /** Streams a run of the assistant {@code agent}, passes its events to the consumer and returns its id. */
    public String stream(String message, String streamMode, Consumer<RunEvent> consumer) {
        List<RunEvent> events = new ArrayList<>();
        try (RunStream stream = clients.deployment(deployment).streamRun(request(message).withStreamMode(streamMode))) {
            for (RunEvent event : stream) {
                events.add(event);
                consumer.accept(event);
            }
        }
        if (!events.getLast().name().equals("end")) {
            throw new IllegalStateException("the run did not succeed: " + events.getLast());
        }
        return events.getFirst().data().required("run_id").textValue();
    }

    /** Sends messages to the assistant {@code agent} on a new thread, one run each; returns the values of the last one. */
    public JsonNode converse(String... messages) {
        UUID thread = requireNonNull(
                clients.threads(deployment).startThread(NewThread.EMPTY).threadId());
        JsonNode values = Json.object();
        for (String message : messages) {
            values = clients.deployment(deployment).waitForThreadRun(thread, ThreadRunRequest.of("agent", input(message)));
        }
        return values;
    }

    /** Returns the assistant {@code agent} of the active revision. */
    public Assistant assistant() {
        return clients.assistants(deployment).searchAssistants(AssistantFilter.ALL).getFirst();
    }

    /** Waits until the trace of a run is stored and returns its rows, root first. */
    public List<JsonNode> awaitTrace(String run, int rows) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            // As JSON, because it is printed and compared with what the application sent.
            List<JsonNode> found = clients.json().post(traces.resolve("/api/v1/runs/query"), Json.object().put("trace", run))
                    .required("runs").valueStream()
                    .sorted(Comparator.comparing(row -> row.required("dotted_order").textValue()))
                    .toList();
            if (found.size() >= rows) {
                return found;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the trace of run " + run + " is not stored after " + TIMEOUT + ": " + found);
            }
            Wait.sleep(POLL_INTERVAL);
        }
    }
}
