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
        return send(request, builder.build());
    }

    // The JDK's client sets the length itself and rejects the header.
    private static void header(HttpRequest.Builder builder, String name, String value) {
        if (!name.equalsIgnoreCase("Content-Length")) {
            builder.header(name, value);
        }
    }

    private Response send(Request request, HttpRequest sent) {
        try {
            HttpResponse<InputStream> received = http.send(sent, BodyHandlers.ofInputStream());
            Response.Builder response = Response.builder()
                    .request(request)
                    .status(received.statusCode())
                    .headers(new LinkedHashMap<String, Collection<String>>(received.headers().map()));
            return isStream(received) ? response.body(received.body(), null).build()
                    // Read here, because an error while a body is decoded would be another exception.
                    : response.body(received.body().readAllBytes()).build();
        } catch (IOException e) {
            throw new UncheckedIOException(sent.method() + " " + sent.uri() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static boolean isStream(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    }
}
