package dev.waybill.common.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import io.restassured.RestAssured;

/** A client that reads a stream of Server-Sent Events until it ends or is closed. */
public final class EventStreamReader implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<InputStream> response;
    private final StringBuffer received = new StringBuffer();
    private volatile boolean hasEnded;

    private EventStreamReader(HttpResponse<InputStream> response) {
        this.response = response;
    }

    /** Requests {@code path} of the tested service, resuming after {@code lastEventId} if it is not null. */
    public static EventStreamReader open(Account caller, String path, @Nullable String lastEventId) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
                .header("X-Api-Key", caller.key())
                .header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        try {
            EventStreamReader reader = new EventStreamReader(
                    CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
            Thread.startVirtualThread(reader::read);
            return reader;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        byte[] buffer = new byte[8_192];
        try (InputStream body = response.body()) {
            for (int length = body.read(buffer); length >= 0; length = body.read(buffer)) {
                received.append(new String(buffer, 0, length, StandardCharsets.UTF_8));
            }
            hasEnded = true;
        } catch (IOException e) {
            // Closed by the test.
        }
    }

    public HttpResponse<InputStream> response() {
        return response;
    }

    /** Returns whether the service has ended the stream. */
    public boolean hasEnded() {
        return hasEnded;
    }

    public String text() {
        return received.toString();
    }

    /** Returns the id of the last complete event. */
    public String lastEventId() {
        await(() -> text().endsWith("\n\n"));
        String text = text();
        int start = text.lastIndexOf("id: ") + "id: ".length();
        return text.substring(start, text.indexOf('\n', start));
    }

    public void awaitText(String part) {
        await(() -> text().contains(part));
    }

    public void await(Callable<Boolean> condition) {
        Patience.await().until(condition);
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            // The service has closed the connection.
        }
    }
}
