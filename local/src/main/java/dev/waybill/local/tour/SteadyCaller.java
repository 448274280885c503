package dev.waybill.local.tour;

import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.client.WaybillException;

/** Somebody who uses a deployed application all the time, until it is closed, and remembers what went wrong. */
public final class SteadyCaller implements AutoCloseable {

    private static final String SAID = "still there";
    private static final int PAUSE_MILLIS = 20;

    private final WaybillClient client;
    private final URI address;
    private final List<String> failures = new ArrayList<>();
    private final Thread thread;
    private int answered;
    private volatile boolean closed;

    private SteadyCaller(WaybillClient client, URI deployment) {
        this.client = client;
        this.address = deployment.resolve("/runs/wait");
        this.thread = Thread.ofPlatform().daemon().name("steady-caller").unstarted(this::call);
    }

    public static SteadyCaller of(WaybillClient client, URI deployment) {
        SteadyCaller caller = new SteadyCaller(client, deployment);
        caller.thread.start();
        return caller;
    }

    private void call() {
        ObjectNode request = Json.object().put("assistant_id", "agent");
        request.putObject("input").putArray("messages").addObject().put("role", "user").put("content", SAID);
        while (!closed) {
            try {
                String answer = client.post(address, request).at("/messages/1/content").asText();
                if (!answer.equals(SAID)) {
                    failures.add("it said: " + answer);
                }
            } catch (WaybillException | UncheckedIOException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
            answered++;
            pause();
        }
    }

    /** @return how many runs there were; after it was closed */
    public int answered() {
        return answered;
    }

    /** @return what went wrong; after it was closed */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns when its last run has ended. */
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

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
