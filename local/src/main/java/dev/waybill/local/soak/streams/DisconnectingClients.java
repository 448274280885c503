package dev.waybill.local.soak.streams;

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
 * Clients that go away in the middle of their run, and when the worker is told so. Between runtime and worker stands
 * {@code tee}, which writes down what the worker is sent.
 */
public final class DisconnectingClients {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final List<String> RUNS = List.of("tokens:1 delay:870000", "tokens:100000 delay:20");

    private final Path sent;
    private final RuntimeProcess runtime;

    private DisconnectingClients(Path sent, RuntimeProcess runtime) {
        this.sent = sent;
        this.runtime = runtime;
    }

    /**
     * @param root of the project
     * @param folder where its application and notes are written
     * @param clients how many leave, one after the other; half of them in silence, the others while their graph speaks
     * @return how long after each had left its worker was told, in milliseconds
     * @throws IllegalStateException when a worker is never told
     */
    public static List<Double> on(Path root, Path folder, List<String> jvm, int clients) {
        Path sent = folder.resolve("sent.jsonl").toAbsolutePath();
        write(root, folder, sent);
        try (RuntimeProcess runtime = RuntimeProcess.start(root, folder, folder.resolve("runtime.log"), jvm, Map.of())) {
            DisconnectingClients leaving = new DisconnectingClients(sent, runtime);
            List<Double> times = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                times.add(leaving.leave(RUNS.get(i % RUNS.size())));
            }
            return times;
        }
    }

    private static void write(Path root, Path folder, Path sent) {
        String worker = "tee '" + sent + "' | '" + RuntimeProcess.java() + "' '"
                + root.resolve("deployment-runtime/samples/java/Agent.java").toAbsolutePath() + "'";
        var graph = Json.object();
        graph.putObject("graphs").putObject("agent").putArray("command").add("sh").add("-c").add(worker);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(sent);
            Files.write(folder.resolve("langgraph.json"), Json.bytes(graph));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double leave(String words) {
        String run;
        long left;
        try (StreamingClient client = StreamingClient.connect(runtime.address())) {
            client.post("/runs/stream", ("{\"assistant_id\": \"agent\", \"stream_mode\": \"custom\", \"input\": {\"messages\":"
                    + " [{\"role\": \"user\", \"content\": \"" + words + "\"}]}}").getBytes(StandardCharsets.UTF_8));
            run = Json.parse(client.next().orElseThrow().data()).required("run_id").textValue();
            await("run/start", run, System.nanoTime());
            left = System.nanoTime();
        }
        return await("run/cancel", run, left);
    }

    /** @return milliseconds from {@code since} until the worker was sent the message about the run */
    private double await(String method, String run, long since) {
        while (!wasSent(method, run)) {
            if (System.nanoTime() - since > LIMIT.toNanos()) {
                throw new IllegalStateException("the worker was sent no " + method + " of run " + run + " within " + LIMIT);
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

    private boolean wasSent(String method, String run) {
        try (var lines = Files.lines(sent)) {
            return lines.anyMatch(line -> line.contains("\"" + method + "\"") && line.contains(run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
