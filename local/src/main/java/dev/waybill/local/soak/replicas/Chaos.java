package dev.waybill.local.soak.replicas;

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
 * Replicas are killed and started at random, of each service one at a time. The seed decides who, how and after what pauses;
 * how
 * long a replica takes to come back is the machine's.
 */
public final class Chaos {

    private static final int LONGEST_REST_MILLIS = 6_000;
    private static final int LONGEST_DEATH_MILLIS = 1_500;
    private static final int ONE_IN_ORDER_OF = 4;

    private final PrintStream out;
    private final long begun = System.nanoTime();
    private final AtomicInteger deaths = new AtomicInteger();

    private Chaos(PrintStream out) {
        this.out = out;
    }

    /**
     * Returns when the time is over and all replicas are back. Each service loses a replica once at least.
     *
     * @return how often a replica died
     */
    public static int over(List<ReplicaPool> services, Duration duration, long seed, PrintStream out) {
        Chaos chaos = new Chaos(out);
        List<Future<?>> under = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < services.size(); i++) {
                ReplicaPool service = services.get(i);
                // Seeds that lie side by side make Random begin alike.
                Random random = new Random(new SplittableRandom(seed * 1_000_003 + i).nextLong());
                under.add(threads.submit(() -> chaos.harass(service, duration, random)));
            }
        }
        for (Future<?> one : under) {
            try {
                one.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return chaos.deaths.get();
    }

    private void harass(ReplicaPool service, Duration duration, Random random) {
        do {
            pause(random.nextInt(LONGEST_REST_MILLIS));
            List<ServiceReplica> members = service.members();
            ServiceReplica victim = members.get(random.nextInt(members.size()));
            boolean inOrder = random.nextInt(ONE_IN_ORDER_OF) == 0;
            say(victim.name() + (inOrder ? " is told to end" : " is killed"));
            Outage absence = victim.leave(inOrder);
            pause(random.nextInt(LONGEST_DEATH_MILLIS));
            victim.comeBack(absence);
            say(victim.name() + " is back");
            deaths.incrementAndGet();
        } while (System.nanoTime() - begun < duration.toNanos());
    }

    private void say(String what) {
        out.printf(Locale.ROOT, "chaos: %6.1f s, %s%n", (System.nanoTime() - begun) / 1e9, what);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }
}
