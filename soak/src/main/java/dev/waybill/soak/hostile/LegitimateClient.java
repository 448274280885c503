package dev.waybill.soak.hostile;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A client with a valid key that sends requests during an attack and measures their latency. */
final class LegitimateClient implements AutoCloseable {

    private static final int PAUSE_MILLIS = 20;
    private static final double PERCENTILE = 0.99;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Double> millis = Collections.synchronizedList(new ArrayList<>());
    private final List<HttpRequest> requests;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile String failure = "";

    private LegitimateClient(List<URI> addresses, String key) {
        this.requests = addresses.stream().map(address -> HttpRequest.newBuilder(address).header("X-Api-Key", key)
                .timeout(Duration.ofMinutes(1)).build()).toList();
        this.thread = Thread.ofPlatform().start(this::call);
    }

    static LegitimateClient of(List<URI> addresses, String key) {
        return new LegitimateClient(addresses, key);
    }

    private void call() {
        try {
            for (int number = 0; !stopped; number++) {
                long startNanos = System.nanoTime();
                HttpResponse<Void> response = client.send(requests.get(number % requests.size()), BodyHandlers.discarding());
                millis.add((System.nanoTime() - startNanos) / 1e6);
                if (response.statusCode() != 200) {
                    failure = response.uri() + " returned " + response.statusCode();
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException e) {
            failure = e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the calls and returns the 99th percentile of their latencies in milliseconds. */
    double p99() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!failure.isEmpty()) {
            throw new IllegalStateException("a legitimate request failed: " + failure);
        }
        List<Double> sorted = millis.stream().sorted().toList();
        return sorted.get((int) (sorted.size() * PERCENTILE));
    }

    @Override
    public void close() {
        stopped = true;
        client.close();
    }
}
