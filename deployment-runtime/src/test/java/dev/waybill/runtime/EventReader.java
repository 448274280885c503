package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.restassured.RestAssured;

/** Client that reads server-sent events one by one. */
public final class EventReader implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private EventReader(HttpRequest.Builder request) {
        try {
            this.response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A received event. */
    public record Event(String id, String name, JsonNode data) {
    }

    /** Streams a new run. */
    public static EventReader stream(String body) {
        return stream(body, RuntimeSettings.KEY);
    }

    /** Streams a new run with the key. */
    public static EventReader stream(String body, String key) {
        return new EventReader(start(body, key));
    }

    /** Streams a new run with an idempotency key. */
    public static EventReader stream(String body, String key, String idempotencyKey) {
        return new EventReader(start(body, key).header("Idempotency-Key", idempotencyKey));
    }

    /** Streams a new run on the thread. */
    public static EventReader streamOnThread(String thread, String body) {
        return new EventReader(start("/threads/" + thread + "/runs/stream", body, RuntimeSettings.KEY));
    }

    /** Streams a new run on the thread, with an idempotency key. */
    public static EventReader streamOnThread(String thread, String body, String idempotencyKey) {
        return new EventReader(start("/threads/" + thread + "/runs/stream", body, RuntimeSettings.KEY)
                .header("Idempotency-Key", idempotencyKey));
    }

    private static HttpRequest.Builder start(String body, String key) {
        return start("/runs/stream", body, key);
    }

    private static HttpRequest.Builder start(String path, String body, String key) {
        return request(path, key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** Streams the events after the one with the id. */
    public static EventReader join(String run, String lastEventId) {
        return join(run, lastEventId, RuntimeSettings.KEY);
    }

    /** Streams the events after the one with the id, with the key. */
    public static EventReader join(String run, String lastEventId, String key) {
        HttpRequest.Builder request = request("/runs/" + run + "/stream", key);
        return new EventReader(lastEventId.isEmpty() ? request : request.header("Last-Event-ID", lastEventId));
    }

    /** Streams the events of a run on a thread after the one with the id. */
    public static EventReader joinOnThread(String thread, String run, String lastEventId) {
        return new EventReader(request("/threads/" + thread + "/runs/" + run + "/stream", RuntimeSettings.KEY)
                .header("Last-Event-ID", lastEventId));
    }

    /** Streams the events of all runs of a thread, after the one with the id. */
    public static EventReader ofThread(String thread, String query, String lastEventId) {
        HttpRequest.Builder request = request("/threads/" + thread + "/stream" + query, RuntimeSettings.KEY);
        return new EventReader(lastEventId.isEmpty() ? request : request.header("Last-Event-ID", lastEventId));
    }

    /** Subscribes to channels of a thread. */
    public static EventReader channels(String thread, String body) {
        return new EventReader(start("/threads/" + thread + "/stream/events", body, RuntimeSettings.KEY));
    }

    /** Streams the following events of a run on a thread, with the key. */
    public static EventReader followOnThread(String thread, String run, String key) {
        return new EventReader(request("/threads/" + thread + "/runs/" + run + "/stream", key));
    }

    private static HttpRequest.Builder request(String path, String key) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
                .header("X-Api-Key", key);
    }

    public int status() {
        return response.statusCode();
    }

    public String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** Returns the id of the run, from the response headers. */
    public String run() {
        return header("Content-Location").replaceAll(".*/runs/", "");
    }

    /** Returns the next event; empty at the end of the stream. */
    public Optional<Event> next() {
        String id = "";
        String name = "";
        StringBuilder data = new StringBuilder();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    return Optional.of(new Event(id, name, MAPPER.readTree(data.toString())));
                } else if (line.equals(": heartbeat") || line.startsWith(": checkpoint ")) {
                    continue;
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data.append(line.substring(6));
                } else {
                    throw new IllegalStateException("not a line of an event stream: " + line);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all remaining events. */
    public List<Event> rest() {
        List<Event> events = new ArrayList<>();
        for (Optional<Event> event = next(); event.isPresent(); event = next()) {
            events.add(event.get());
        }
        return events;
    }

    /** Reads until that many heartbeats were received, and discards events before them. */
    public void awaitHeartbeats(int count) {
        try {
            for (int seen = 0; seen < count;) {
                String line = lines.readLine();
                assertThat(line).isNotNull();
                seen += line.equals(": heartbeat") ? 1 : 0;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the connection, also before the end of the stream. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
