package dev.waybill.local.runtime;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import dev.waybill.local.storage.Wait;

/** Waits for an HTTP server to start. */
public final class HttpProbe {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private HttpProbe() {
    }

    /** Returns whether the address responds with 200 before the timeout, and before its process ends. */
    public static boolean awaitOk(URI address, BooleanSupplier isAlive, Duration timeout) {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(REQUEST_TIMEOUT).build();
        long deadline = System.nanoTime() + timeout.toNanos();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!isOk(client, request)) {
                if (!isAlive.getAsBoolean() || System.nanoTime() > deadline) {
                    return false;
                }
                Wait.sleep(INTERVAL);
            }
            return true;
        }
    }

    private static boolean isOk(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
