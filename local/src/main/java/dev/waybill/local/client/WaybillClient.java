package dev.waybill.local.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

/** An HTTP client of Waybill's services with an API key. */
public final class WaybillClient implements AutoCloseable {

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String apiKey;

    public WaybillClient(String apiKey) {
        this.apiKey = apiKey;
    }

    public JsonNode get(URI address) {
        return send(request(address).GET().build());
    }

    public JsonNode post(URI address, JsonNode body) {
        return postBytes(address, Json.bytes(body));
    }

    /** Sends JSON with additional headers, such as {@code Idempotency-Key}. */
    public JsonNode post(URI address, JsonNode body, Map<String, String> headers) {
        HttpRequest.Builder request = request(address).header("Content-Type", "application/json");
        headers.forEach(request::header);
        return send(request.POST(BodyPublishers.ofByteArray(Json.bytes(body))).build());
    }

    /** Sends serialized JSON. */
    public JsonNode postBytes(URI address, byte[] json) {
        return send(request(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(json))
                .build());
    }

    public JsonNode patch(URI address, JsonNode body) {
        return send(request(address)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofByteArray(Json.bytes(body)))
                .build());
    }

    public JsonNode delete(URI address) {
        return send(request(address).DELETE().build());
    }

    /** Streams a run of a deployed application and passes each event to the consumer. */
    public void stream(URI address, JsonNode body, Consumer<RunEvent> consumer) {
        HttpRequest request = request(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
                .build();
        HttpResponse<Stream<String>> response = send(request, BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            if (response.statusCode() != 200) {
                throw failure(request, response.statusCode(), lines.collect(Collectors.joining("\n")));
            }
            lines.forEach(RunEvent.reader(consumer));
        }
    }

    /** Sends a batch of runs as tracing clients do (contract.md "Trace intake"). */
    public void postRuns(URI experimentService, RunsMultipart batch) {
        send(request(experimentService.resolve("/runs/multipart"))
                .header("Content-Type", batch.contentType())
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(batch.toGzip()))
                .build());
    }

    /** Encodes a value for a query string. */
    public static String urlEncode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.close();
    }

    private HttpRequest.Builder request(URI address) {
        return HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(60)).header("X-Api-Key", apiKey);
    }

    private JsonNode send(HttpRequest request) {
        HttpResponse<byte[]> response = send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() / 100 != 2) {
            throw failure(request, response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
        }
        return response.body().length == 0 ? Json.object() : Json.parse(response.body());
    }

    private static WaybillException failure(HttpRequest request, int status, String body) {
        return new WaybillException(status, request.method() + " " + request.uri(), body);
    }

    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
