package dev.waybill.local.soak.streams;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import dev.waybill.local.runtime.IdleCrowd;
import dev.waybill.local.runtime.RuntimeProcess;

/** What the runtime promises to very many clients, one promise after the other; what is broken throws. */
public final class StreamSoak {

    private static final int STREAMS = 1000;
    private static final int SLOW = 10;
    private static final int IDLE = 10_000;
    private static final int LEAVING = 40;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private StreamSoak() {
    }

    /**
     * @param root of the project
     * @param folder for whatever is written
     * @param time for which the clients stream one run after the other
     */
    public static void run(Path root, Path folder, Duration time, PrintStream out) {
        Path application = root.resolve("deployment-runtime/samples/java");
        try (RuntimeProcess runtime = start(root, application, folder, ConcurrentStreams.PROPERTIES)) {
            int runs = ConcurrentStreams.on(runtime, STREAMS - SLOW, SLOW, time);
            out.printf("streams: %,d clients at once for %d s, of which %d slow: %,d runs, all whole; 256 MiB of heap%n",
                    STREAMS,
                    time.toSeconds(), SLOW, runs);
        }
        List<Double> told = DisconnectingClients.on(root, folder.resolve("leaving"), List.of(), LEAVING);
        out.printf("leaving: the worker was told %.0f ms after its client had gone, %.0f at most, of %d (1,000 are promised)%n",
                told.stream().sorted().skip(told.size() / 2).findFirst().orElseThrow(), Collections.max(told), told.size());
        Map<String, String> many = Map.of("waybill.runtime.runs.concurrent", Integer.toString(IDLE));
        try (RuntimeProcess runtime = start(root, application, folder, many);
                IdleCrowd crowd = new IdleCrowd(runtime.address(), IDLE)) {
            crowd.awaitOpen(LIMIT);
            crowd.awaitHeartbeats(LIMIT);
            crowd.requireWhole();
            out.printf("idle: %,d silent streams, each with a heartbeat and none closed%n", IDLE);
        }
    }

    private static RuntimeProcess start(Path root, Path application, Path folder, Map<String, String> properties) {
        return RuntimeProcess.start(root, application, folder.resolve("runtime.log"), List.of(), properties);
    }
}
