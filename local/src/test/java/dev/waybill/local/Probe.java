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

import dev.waybill.local.Http.Answer;

/**
 * Sends runs to a deployed application, by several clients, until it is closed. Each pauses between two: what is deployed
 * meanwhile needs the machine, too.
 */
final class Probe implements AutoCloseable {

    private static final int CLIENTS = 3;
    private static final int PAUSE_MILLIS = 50;
    private static final String RUN = """
            {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "still there"}]}}""";

    private final URI address;
    private final String apiKey;
    private final AtomicInteger answered = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Http http = new Http();
    private final ScheduledExecutorService clients = Executors.newScheduledThreadPool(CLIENTS);

    private Probe(URI deployment, String apiKey) {
        this.address = deployment.resolve("/runs/wait");
        this.apiKey = apiKey;
        for (int i = 0; i < CLIENTS; i++) {
            clients.scheduleWithFixedDelay(this::ask, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns when the first have been answered. */
    static Probe on(AgentDeployment deployment) {
        Probe probe = new Probe(deployment.url(), deployment.workspace().apiKey());
        probe.awaitMore();
        return probe;
    }

    private void ask() {
        try {
            Answer answer = http.send("POST", address, apiKey, RUN);
            if (answer.status() != 200 || !answer.body().contains("still there")) {
                failures.add(answer.toString());
            }
        } catch (RuntimeException e) {
            failures.add(e + " " + e.getCause());
        }
        answered.incrementAndGet();
    }

    /** Until so many more were answered that some were sent after this was called. */
    void awaitMore() {
        int enough = answered.get() + 2 * CLIENTS + 1;
        await().atMost(Duration.ofMinutes(2)).until(() -> answered.get() >= enough);
    }

    /** What went wrong so far. */
    List<String> failures() {
        return failures;
    }

    @Override
    public void close() {
        clients.close();
        http.close();
    }
}
