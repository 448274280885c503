package dev.waybill.local.soak.hostile;

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

/** Somebody with a key, who calls again and again while others are hostile. */
final class LegitimateClient implements AutoCloseable {

    private static final int PAUSE_MILLIS = 20;
    private static final double PERCENTILE = 0.99;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Double> millis = Collections.synchronizedList(new ArrayList<>());
    private final List<HttpRequest> requests;
    private final Thread thread;
    private volatile boolean isDone;
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
            for (int number = 0; !isDone; number++) {
                long began = System.nanoTime();
                HttpResponse<Void> response = client.send(requests.get(number % requests.size()), BodyHandlers.discarding());
                millis.add((System.nanoTime() - began) / 1e6);
                if (response.statusCode() != 200) {
                    failure = response.uri() + " responded " + response.statusCode();
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException e) {
            failure = e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the calls; returns the 99th percentile of their times in milliseconds. */
    double p99() {
        isDone = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!failure.isEmpty()) {
            throw new IllegalStateException("another caller was not served: " + failure);
        }
        List<Double> sorted = millis.stream().sorted().toList();
        return sorted.get((int) (sorted.size() * PERCENTILE));
    }

    @Override
    public void close() {
        isDone = true;
        client.close();
    }
}
