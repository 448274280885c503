package dev.waybill.soak.streams;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import dev.waybill.local.runtime.IdleClients;
import dev.waybill.local.runtime.RuntimeProcess;

/** Tests a runtime with many clients: concurrent streams, disconnecting clients and idle streams. */
public final class StreamSoak {

    private static final int STREAMS = 1000;
    private static final int SLOW = 10;
    private static final int IDLE = 10_000;
    private static final int DISCONNECTING = 40;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private StreamSoak() {
    }

    /**
     * Runs the tests and fails if one fails.
     *
     * @param root the root of the project
     * @param folder the folder of logs and recordings
     * @param duration the duration of the concurrent streams
     */
    public static void run(Path root, Path folder, Duration duration, PrintStream out) {
        Path application = root.resolve("deployment-runtime/samples/java");
        try (RuntimeProcess runtime = start(root, application, folder, ConcurrentStreams.PROPERTIES)) {
            int runs = ConcurrentStreams.run(runtime, STREAMS - SLOW, SLOW, duration);
            out.printf("streams: %,d concurrent clients for %d s, %d of them slow: %,d runs, all complete; 256 MiB of heap%n",
                    STREAMS,
                    duration.toSeconds(), SLOW, runs);
        }
        List<Double> latencies = DisconnectingClients.run(root, folder.resolve("leaving"), List.of(), DISCONNECTING);
        out.printf("disconnects: runs cancelled after %.0f ms (median), %.0f ms (maximum of %d; limit: 1,000)%n",
                latencies.stream().sorted().skip(latencies.size() / 2).findFirst().orElseThrow(), Collections.max(latencies),
                latencies.size());
        Map<String, String> many = Map.of("waybill.runtime.runs.max-concurrent", Integer.toString(IDLE));
        try (RuntimeProcess runtime = start(root, application, folder, many);
                IdleClients clients = new IdleClients(runtime.address(), IDLE)) {
            clients.awaitOpen(TIMEOUT);
            clients.awaitHeartbeats(TIMEOUT);
            clients.requireAllOpen();
            out.printf("idle: %,d streams without events, each with heartbeats and none closed%n", IDLE);
        }
    }

    private static RuntimeProcess start(Path root, Path application, Path folder, Map<String, String> properties) {
        return RuntimeProcess.start(root, application, folder.resolve("runtime.log"), List.of(), properties);
    }
}
