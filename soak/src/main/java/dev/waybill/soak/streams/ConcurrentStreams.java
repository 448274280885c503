package dev.waybill.soak.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.StreamingClient;

/**
 * Many concurrent clients that stream runs repeatedly, and some that read one long run at 1 KB per second meanwhile. Verifies
 * every stream.
 */
public final class ConcurrentStreams {

    /** The configuration of the runtime. Its heap is limited by {@link RuntimeProcess#JVM}. */
    public static final Map<String, String> PROPERTIES = Map.of("waybill.runtime.runs.max-concurrent", "1100");

    private static final int RUN_TOKENS = 20;
    private static final int LONG_RUN_TOKENS = 3000;
    private static final int BYTES_PER_SECOND = 1024;
    private static final int WINDOW = 4096;

    private final RuntimeProcess runtime;
    private final Duration duration;
    private final Set<String> runs = ConcurrentHashMap.newKeySet();

    private ConcurrentStreams(RuntimeProcess runtime, Duration duration) {
        this.runtime = runtime;
        this.duration = duration;
    }

    /**
     * Runs the clients and returns the number of streamed runs. Fails if a run is rejected or its stream is incomplete or
     * wrong.
     *
     * @param fast the number of clients that read without pauses
     * @param slow the number of slow clients
     */
    public static int run(RuntimeProcess runtime, int fast, int slow, Duration duration) {
        return new ConcurrentStreams(runtime, duration).stream(fast, slow);
    }

    private int stream(int fast, int slow) {
        List<Callable<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < slow; i++) {
            MarkedRun run = new MarkedRun("slow" + i, LONG_RUN_TOKENS);
            clients.add(() -> readSlowly(run));
        }
        for (int i = 0; i < fast; i++) {
            String client = "client" + i;
            clients.add(() -> streamRepeatedly(client));
        }
        int streamed = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> client : threads.invokeAll(clients)) {
                streamed += client.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("one of " + clients.size() + " clients failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (runs.size() != streamed) {
            throw new IllegalStateException(streamed + " runs had " + runs.size() + " different ids");
        }
        if (!runtime.isAlive()) {
            throw new IllegalStateException("the runtime has exited");
        }
        return streamed;
    }

    private int streamRepeatedly(String name) {
        long end = System.nanoTime() + duration.toNanos();
        int streamed = 0;
        try (StreamingClient client = StreamingClient.connect(runtime.address())) {
            do {
                MarkedRun run = new MarkedRun(name + "-run" + streamed, RUN_TOKENS);
                run.start(client);
                runs.add(run.requireComplete(client));
                streamed++;
            } while (System.nanoTime() < end);
        }
        return streamed;
    }

    private int readSlowly(MarkedRun run) {
        AtomicBoolean pacingEnded = new AtomicBoolean();
        try (StreamingClient client = StreamingClient.connect(runtime.address(), null, WINDOW)) {
            run.start(client);
            client.setReadRate(BYTES_PER_SECOND);
            Thread.startVirtualThread(() -> {
                sleep(duration);
                pacingEnded.set(true);
                client.setReadRate(0);
            });
            runs.add(run.requireComplete(client));
            if (!pacingEnded.get()) {
                throw new IllegalStateException("a slow client received all events too early");
            }
            return 1;
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
