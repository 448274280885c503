package dev.waybill.local.soak.streams;

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
 * Clients that stream one run after the other for a while, all at once, and among them some that read a long run at 1 KB a
 * second until the others are done. Every run has to be whole.
 */
public final class ConcurrentStreams {

    /** The heap is what {@link RuntimeProcess#JVM} says; a runtime that needs more ends, and every client notices. */
    public static final Map<String, String> PROPERTIES = Map.of("waybill.runtime.runs.concurrent", "1100");

    private static final int WORDS = 20;
    private static final int MANY_WORDS = 3000;
    private static final int BYTES_PER_SECOND = 1024;
    private static final int WINDOW = 4096;

    private final RuntimeProcess runtime;
    private final Duration time;
    private final Set<String> runs = ConcurrentHashMap.newKeySet();

    private ConcurrentStreams(RuntimeProcess runtime, Duration time) {
        this.runtime = runtime;
        this.time = time;
    }

    /**
     * @param fast clients that read as fast as they can
     * @param slow clients beside them
     * @return how many runs were streamed
     * @throws IllegalStateException when a run was lost, broken, refused or mixed up with another
     */
    public static int on(RuntimeProcess runtime, int fast, int slow, Duration time) {
        return new ConcurrentStreams(runtime, time).stream(fast, slow);
    }

    private int stream(int fast, int slow) {
        List<Callable<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < slow; i++) {
            MarkedRun run = new MarkedRun("slow" + i, MANY_WORDS);
            clients.add(() -> readSlowly(run));
        }
        for (int i = 0; i < fast; i++) {
            String client = "client" + i;
            clients.add(() -> streamAgainAndAgain(client));
        }
        int streamed = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> done : threads.invokeAll(clients)) {
                streamed += done.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client of " + clients.size() + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (runs.size() != streamed) {
            throw new IllegalStateException(streamed + " runs had " + runs.size() + " ids");
        }
        if (!runtime.isAlive()) {
            throw new IllegalStateException("the runtime has ended");
        }
        return streamed;
    }

    private int streamAgainAndAgain(String name) {
        long end = System.nanoTime() + time.toNanos();
        int streamed = 0;
        try (StreamingClient client = StreamingClient.connect(runtime.address())) {
            do {
                MarkedRun run = new MarkedRun(name + "-run" + streamed, WORDS);
                run.begin(client);
                runs.add(run.requireWhole(client));
                streamed++;
            } while (System.nanoTime() < end);
        }
        return streamed;
    }

    private int readSlowly(MarkedRun run) {
        AtomicBoolean hurried = new AtomicBoolean();
        try (StreamingClient client = StreamingClient.connect(runtime.address(), null, WINDOW)) {
            run.begin(client);
            client.pace(BYTES_PER_SECOND);
            Thread.startVirtualThread(() -> {
                sleep(time);
                hurried.set(true);
                client.pace(0);
            });
            runs.add(run.requireWhole(client));
            if (!hurried.get()) {
                throw new IllegalStateException("a slow reader was done before it was told to hurry");
            }
            return 1;
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
