package dev.waybill.local.tour;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.client.DeploymentClient;
import dev.waybill.client.RunRequest;
import dev.waybill.client.WaybillClients;
import dev.waybill.client.WaybillException;
import dev.waybill.local.storage.Wait;

/** Sends runs to a deployed application until it is closed, and records failures. */
public final class ContinuousClient implements AutoCloseable {

    private static final String MESSAGE = "still there";
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final DeploymentClient client;
    private final List<String> failures = new ArrayList<>();
    private final Thread thread;
    private int runCount;
    private volatile boolean closed;

    private ContinuousClient(DeploymentClient client) {
        this.client = client;
        this.thread = Thread.ofPlatform().daemon().name("continuous-client").unstarted(this::call);
    }

    public static ContinuousClient start(WaybillClients clients, URI deployment) {
        ContinuousClient started = new ContinuousClient(clients.deployment(deployment));
        started.thread.start();
        return started;
    }

    private void call() {
        RunRequest request = DeployedApplication.request(MESSAGE);
        while (!closed) {
            try {
                String response = client.waitForRun(request).at("/messages/1/content").asText();
                if (!response.equals(MESSAGE)) {
                    failures.add("unexpected output: " + response);
                }
            } catch (WaybillException | UncheckedIOException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
            runCount++;
            Wait.sleep(PAUSE);
        }
    }

    /** Returns the number of runs. Call after {@link #close}. */
    public int runCount() {
        return runCount;
    }

    /** Returns the failures. Call after {@link #close}. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Stops after the run in progress. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
