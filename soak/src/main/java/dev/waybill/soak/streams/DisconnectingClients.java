package dev.waybill.soak.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.waybill.local.client.Json;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.StreamingClient;

/**
 * Measures the time from a client's disconnect to the cancellation of its run in the worker. The worker runs behind
 * {@code tee},
 * which records its input.
 */
public final class DisconnectingClients {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final List<String> RUNS = List.of("tokens:1 delay:870000", "tokens:100000 delay:20");

    private final Path received;
    private final RuntimeProcess runtime;

    private DisconnectingClients(Path received, RuntimeProcess runtime) {
        this.received = received;
        this.runtime = runtime;
    }

    /**
     * Returns the latency of each cancellation in milliseconds. Fails if a run is not cancelled.
     *
     * @param root the root of the project
     * @param folder the folder of the application and the recording
     * @param clients the number of clients, one at a time; half of them disconnect while their run sends no events
     */
    public static List<Double> run(Path root, Path folder, List<String> jvm, int clients) {
        Path received = folder.resolve("sent.jsonl").toAbsolutePath();
        write(root, folder, received);
        try (RuntimeProcess runtime = RuntimeProcess.start(root, folder, folder.resolve("runtime.log"), jvm, Map.of())) {
            DisconnectingClients leaving = new DisconnectingClients(received, runtime);
            List<Double> times = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                times.add(leaving.disconnect(RUNS.get(i % RUNS.size())));
            }
            return times;
        }
    }

    private static void write(Path root, Path folder, Path received) {
        String worker = "tee '" + received + "' | '" + RuntimeProcess.java() + "' '"
                + root.resolve("deployment-runtime/samples/java/Agent.java").toAbsolutePath() + "'";
        var graph = Json.object();
        graph.putObject("graphs").putObject("agent").putArray("command").add("sh").add("-c").add(worker);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(received);
            Files.write(folder.resolve("langgraph.json"), Json.bytes(graph));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double disconnect(String content) {
        String run;
        long disconnectNanos;
        try (StreamingClient client = StreamingClient.connect(runtime.address())) {
            client.post("/runs/stream", ("{\"assistant_id\": \"agent\", \"stream_mode\": \"custom\", \"input\": {\"messages\":"
                    + " [{\"role\": \"user\", \"content\": \"" + content + "\"}]}}").getBytes(StandardCharsets.UTF_8));
            run = Json.parse(client.next().orElseThrow().data()).required("run_id").textValue();
            await("run/start", run, System.nanoTime());
            disconnectNanos = System.nanoTime();
        }
        return await("run/cancel", run, disconnectNanos);
    }

    /** Waits until the worker receives a message for the run and returns the milliseconds since {@code since}. */
    private double await(String method, String run, long since) {
        while (!hasReceived(method, run)) {
            if (System.nanoTime() - since > TIMEOUT.toNanos()) {
                throw new IllegalStateException("the worker received no " + method + " of run " + run + " within " + TIMEOUT);
            }
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return (System.nanoTime() - since) / 1e6;
    }

    private boolean hasReceived(String method, String run) {
        try (var lines = Files.lines(received)) {
            return lines.anyMatch(line -> line.contains("\"" + method + "\"") && line.contains(run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
