package dev.waybill.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import feign.Client;
import feign.Request;
import feign.Response;

/** Sends requests with the JDK's HTTP client, whose responses can be streamed. */
final class JdkHttpTransport implements Client {

    private final HttpClient http;

    JdkHttpTransport(HttpClient http) {
        this.http = http;
    }

    @Override
    public Response execute(Request request, Request.Options options) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(request.url()))
                .timeout(Duration.ofMillis(options.readTimeoutMillis()))
                .method(request.httpMethod().name(),
                        request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(request.body()));
        request.headers().forEach((name, values) -> values.forEach(value -> header(builder, name, value)));
        HttpResponse<InputStream> response = send(builder.build());
        Map<String, Collection<String>> headers = new LinkedHashMap<>(response.headers().map());
        return Response.builder()
                .request(request)
                .status(response.statusCode())
                .headers(headers)
                .body(response.body(), null)
                .build();
    }

    // The JDK's client sets the length itself and rejects the header.
    private static void header(HttpRequest.Builder builder, String name, String value) {
        if (!name.equalsIgnoreCase("Content-Length")) {
            builder.header(name, value);
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
