package dev.waybill.local;

import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.local.Http.Response;

/** Sends runs to a deployed application from several clients until it is closed, and records failures. */
final class Probe implements AutoCloseable {

    private static final int CLIENTS = 3;
    private static final int PAUSE_MILLIS = 50;
    private static final String RUN = """
            {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "hello"}]}}""";

    private final URI address;
    private final String apiKey;
    private final AtomicInteger responses = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Http http = new Http();
    private final ScheduledExecutorService clients = Executors.newScheduledThreadPool(CLIENTS);

    private Probe(URI deployment, String apiKey) {
        this.address = deployment.resolve("/runs/wait");
        this.apiKey = apiKey;
        for (int i = 0; i < CLIENTS; i++) {
            clients.scheduleWithFixedDelay(this::send, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Starts a probe and waits for its first responses. */
    static Probe start(AgentDeployment deployment) {
        Probe probe = new Probe(deployment.url(), deployment.workspace().apiKey());
        probe.awaitMore();
        return probe;
    }

    private void send() {
        try {
            Response answer = http.send("POST", address, apiKey, RUN);
            if (answer.status() != 200 || !answer.body().contains("hello")) {
                failures.add(answer.toString());
            }
        } catch (RuntimeException e) {
            failures.add(e + " " + e.getCause());
        }
        responses.incrementAndGet();
    }

    /** Waits for so many further responses that some belong to requests sent after this call. */
    void awaitMore() {
        int expected = responses.get() + 2 * CLIENTS + 1;
        await().atMost(Duration.ofMinutes(2)).until(() -> responses.get() >= expected);
    }

    /** Returns the failures. */
    List<String> failures() {
        return failures;
    }

    @Override
    public void close() {
        clients.close();
        http.close();
    }
}
