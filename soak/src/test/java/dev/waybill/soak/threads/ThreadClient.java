package dev.waybill.soak.threads;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/** Calls of one thread, each to the replica that is its turn. */
final class ThreadClient {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient http;
    private final ThreadReplicas replicas;
    private final String path;

    ThreadClient(HttpClient http, ThreadReplicas replicas, String thread) {
        this.http = http;
        this.replicas = replicas;
        this.path = "/threads/" + thread;
    }

    /** Returns the values of a run that waits; empty if it failed, or if its outcome is unknown. */
    Optional<JsonNode> await(String content) throws InterruptedException {
        return send("POST", "/runs/wait", body(content)).filter(values -> !values.has("__error__"));
    }

    /** Returns the values of a run in the background; empty if it failed, or if its outcome is unknown. */
    Optional<JsonNode> join(String content) throws InterruptedException {
        Optional<JsonNode> started = send("POST", "/runs", body(content));
        if (started.isEmpty()) {
            return Optional.empty();
        }
        String run = "/runs/" + started.get().path("run_id").asText();
        // The runtime may be killed while the client waits.
        for (int i = 0; i < 20; i++) {
            Optional<JsonNode> values = send("GET", run + "/join", null);
            if (values.isPresent()) {
                return values.filter(result -> !result.has("__error__"));
            }
            Thread.sleep(500);
        }
        return Optional.empty();
    }

    private static String body(String content) {
        return "{\"assistant_id\": \"threads\", \"if_not_exists\": \"create\", \"input\": {\"messages\": "
                + "[{\"role\": \"user\", \"content\": \"" + content + "\"}]}}";
    }

    /** Returns the thread; empty if it does not exist. */
    Optional<JsonNode> thread() throws InterruptedException {
        return send("GET", "", null);
    }

    /** Returns the newest states; empty if the thread does not exist. */
    Optional<JsonNode> history() throws InterruptedException {
        return send("GET", "/history?limit=5", null);
    }

    private Optional<JsonNode> send(String method, String suffix, String body) throws InterruptedException {
        URI address = replicas.next().resolve(path + suffix);
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(Json.parse(response.body())) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            // The runtime was killed before or during the response.
            return Optional.empty();
        }
    }
}
