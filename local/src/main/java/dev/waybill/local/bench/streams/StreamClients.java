package dev.waybill.local.bench.streams;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

import dev.waybill.local.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.StreamingClient;

/**
 * Clients that stay connected, each of which starts its next run when the last is over. They live in this JVM, whose CPU nobody
 * counts.
 */
final class StreamClients implements AutoCloseable {

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<StreamingClient> clients = new ArrayList<>();
    private final URI server;
    private final Workload workload;

    /** All connected, and each with a run behind it. */
    StreamClients(URI server, int count, Workload workload) {
        this.server = server;
        this.workload = workload;
        try {
            for (int i = 0; i < count; i++) {
                clients.add(StreamingClient.connect(server));
            }
            all(client -> List.of(workload.run(client)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** What one client does. */
    private interface Part {

        List<RunTimes> of(StreamingClient client);
    }

    /** @return of every run that was started in that time; all have ended */
    List<RunTimes> runFor(Duration time) {
        return runFor(time, Duration.ZERO);
    }

    /**
     * @param pause from the start of a client's run to the start of its next, if it does not take longer itself
     * @return of every run that was started in that time; all have ended
     */
    List<RunTimes> runFor(Duration time, Duration pause) {
        long deadline = System.nanoTime() + time.toNanos();
        AtomicInteger number = new AtomicInteger();
        return all(client -> {
            // Spread over the pause, not all at once.
            sleep(pause.toNanos() * number.getAndIncrement() / clients.size());
            List<RunTimes> runs = new ArrayList<>();
            while (System.nanoTime() < deadline) {
                RunTimes run = workload.run(client);
                runs.add(run);
                sleep(pause.toNanos() - run.whole());
            }
            return runs;
        });
    }

    /** @return in milliseconds */
    static double p99(List<RunTimes> runs, ToLongFunction<RunTimes> time) {
        long[] sorted = runs.stream().mapToLong(time).sorted().toArray();
        return sorted[(int) Math.ceil(sorted.length * 0.99) - 1] / 1e6;
    }

    @Override
    public void close() {
        clients.forEach(StreamingClient::close);
        threads.close();
    }

    private List<RunTimes> all(Part part) {
        List<Callable<List<RunTimes>>> parts = new ArrayList<>();
        clients.forEach(client -> parts.add(() -> part.of(client)));
        List<RunTimes> runs = new ArrayList<>();
        try {
            for (Future<List<RunTimes>> done : threads.invokeAll(parts)) {
                runs.addAll(done.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(server + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return runs;
    }

    private static void sleep(long nanos) {
        if (nanos > 0) {
            try {
                Thread.sleep(Duration.ofNanos(nanos));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
