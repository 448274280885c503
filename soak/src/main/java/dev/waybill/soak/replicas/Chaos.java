package dev.waybill.soak.replicas;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops and restarts random replicas, one at a time per service. The seed determines the replicas, the signals and the pauses,
 * but not the duration of restarts.
 */
public final class Chaos {

    private static final int MAX_UPTIME_MILLIS = 6_000;
    private static final int MAX_DOWNTIME_MILLIS = 1_500;
    private static final int GRACEFUL_EVERY = 4;

    private final PrintStream out;
    private final long startNanos = System.nanoTime();
    private final AtomicInteger restarts = new AtomicInteger();

    private Chaos(PrintStream out) {
        this.out = out;
    }

    /** Restarts replicas for a duration, at least one per service, and returns the number of restarts when all are ready. */
    public static int run(List<ReplicaPool> services, Duration duration, long seed, PrintStream out) {
        Chaos chaos = new Chaos(out);
        List<Future<?>> tasks = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < services.size(); i++) {
                ReplicaPool service = services.get(i);
                // Random produces similar first values for adjacent seeds.
                Random random = new Random(new SplittableRandom(seed * 1_000_003 + i).nextLong());
                tasks.add(threads.submit(() -> chaos.restartReplicas(service, duration, random)));
            }
        }
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return chaos.restarts.get();
    }

    private void restartReplicas(ReplicaPool service, Duration duration, Random random) {
        do {
            pause(random.nextInt(MAX_UPTIME_MILLIS));
            List<ServiceReplica> replicas = service.replicas();
            ServiceReplica replica = replicas.get(random.nextInt(replicas.size()));
            boolean graceful = random.nextInt(GRACEFUL_EVERY) == 0;
            log(replica.name() + (graceful ? " receives SIGTERM" : " receives SIGKILL"));
            Outage outage = replica.startOutage(graceful);
            pause(random.nextInt(MAX_DOWNTIME_MILLIS));
            replica.endOutage(outage);
            log(replica.name() + " is ready");
            restarts.incrementAndGet();
        } while (System.nanoTime() - startNanos < duration.toNanos());
    }

    private void log(String event) {
        out.printf(Locale.ROOT, "chaos: %6.1f s, %s%n", (System.nanoTime() - startNanos) / 1e9, event);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }
}
