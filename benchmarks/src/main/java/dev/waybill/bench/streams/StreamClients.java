package dev.waybill.bench.streams;

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

import dev.waybill.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.StreamingClient;
import dev.waybill.local.storage.Wait;

/**
 * Connected clients that each start the next run when the previous one has ended. They run in this JVM, whose CPU time
 * is not measured.
 */
final class StreamClients implements AutoCloseable {

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<StreamingClient> clients = new ArrayList<>();
    private final URI server;
    private final Workload workload;

    /** Connects all clients and executes one run with each. */
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

    /** Work of one client. */
    private interface ClientTask {

        List<RunTimes> of(StreamingClient client);
    }

    /**
     * Executes runs for this time.
     *
     * @return times of all runs that were started, after all have ended
     */
    List<RunTimes> runFor(Duration time) {
        return runFor(time, Duration.ZERO);
    }

    /**
     * @param pause minimum time between the starts of a client's runs
     * @return times of all runs that were started, after all have ended
     */
    List<RunTimes> runFor(Duration time, Duration pause) {
        long deadline = System.nanoTime() + time.toNanos();
        AtomicInteger number = new AtomicInteger();
        return all(client -> {
            // Distributes the first runs over the pause.
            sleep(pause.toNanos() * number.getAndIncrement() / clients.size());
            List<RunTimes> runs = new ArrayList<>();
            while (System.nanoTime() < deadline) {
                RunTimes run = workload.run(client);
                runs.add(run);
                sleep(pause.toNanos() - run.total());
            }
            return runs;
        });
    }

    /** Returns the 99th percentile in milliseconds. */
    static double p99(List<RunTimes> runs, ToLongFunction<RunTimes> time) {
        long[] sorted = runs.stream().mapToLong(time).sorted().toArray();
        return sorted[(int) Math.ceil(sorted.length * 0.99) - 1] / 1e6;
    }

    @Override
    public void close() {
        clients.forEach(StreamingClient::close);
        threads.close();
    }

    private List<RunTimes> all(ClientTask task) {
        List<Callable<List<RunTimes>>> tasks = new ArrayList<>();
        clients.forEach(client -> tasks.add(() -> task.of(client)));
        List<RunTimes> runs = new ArrayList<>();
        try {
            for (Future<List<RunTimes>> future : threads.invokeAll(tasks)) {
                runs.addAll(future.get());
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
            Wait.sleep(Duration.ofNanos(nanos));
        }
    }
}
