package dev.waybill.controlplane.engine.local;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Clients that continuously send requests to an application's port over persistent connections. */
final class RequestProbe implements AutoCloseable {

    private static final int CLIENTS = 3;
    private static final int MORE = 20;

    private final HttpClient client;
    private final URI address;
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final AtomicInteger responses = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Thread> threads;

    private RequestProbe(HttpClient client, int port) {
        this.client = client;
        this.address = URI.create("http://127.0.0.1:" + port + "/version");
        this.threads = Stream.generate(() -> Thread.ofVirtual().unstarted(this::send)).limit(CLIENTS).toList();
    }

    static RequestProbe start(HttpClient client, int port) {
        RequestProbe probe = new RequestProbe(client, port);
        probe.threads.forEach(Thread::start);
        return probe;
    }

    /** Waits for further responses; returns at once after a failure. */
    void awaitMore() {
        int before = responses.get();
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> responses.get() > before + MORE || !failures.isEmpty());
    }

    /** Stops the clients and returns the failed requests. */
    List<String> end() throws InterruptedException {
        isEnding.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        return failures;
    }

    @Override
    public void close() {
        isEnding.set(true);
    }

    private void send() {
        while (!isEnding.get() && failures.isEmpty()) {
            try {
                // POST, because the client retries a failed GET.
                HttpResponse<String> response = client.send(HttpRequest.newBuilder(address).timeout(LocalEngineFixture.TIMEOUT)
                        .POST(BodyPublishers.ofString("hello")).build(), BodyHandlers.ofString());
                if (response.statusCode() != 200) {
                    failures.add(response.statusCode() + " " + response.body());
                }
                responses.incrementAndGet();
            } catch (IOException | InterruptedException e) {
                failures.add(e.toString());
            }
        }
    }
}
