package dev.waybill.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/** Sends requests and returns responses of any status. Records all responses, so that tests can search them for secrets. */
final class Http implements AutoCloseable {

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Response> responses = new CopyOnWriteArrayList<>();

    /** A response. */
    record Response(int status, String headers, String body) {

        JsonNode json() {
            return Json.parse(body);
        }

        String title() {
            return json().path("title").asText();
        }
    }

    /** Sends a request; {@code apiKey} and {@code body} may be null. */
    Response send(String method, URI address, @Nullable String apiKey, @Nullable String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(Duration.ofMinutes(2)).method(method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (apiKey != null) {
            request.header("X-Api-Key", apiKey);
        }
        return send(request.build());
    }

    Response send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            Response result = new Response(response.statusCode(), response.headers().map().toString(), response.body());
            responses.add(result);
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    List<Response> responses() {
        return responses;
    }

    @Override
    public void close() {
        client.close();
    }
}
