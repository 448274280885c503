package dev.waybill.controlplane.push;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

/** Limits concurrent deliveries, each of which holds its body in memory; excess deliveries are rejected with 429. */
final class Bulkhead {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final AtomicInteger active = new AtomicInteger();
    private final int capacity;

    Bulkhead(int capacity) {
        this.capacity = capacity;
    }

    /** Runs {@code work} and holds a permit until it terminates; fails with 429 if no permit is available. */
    <T> Uni<T> execute(Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            if (active.incrementAndGet() > capacity) {
                active.decrementAndGet();
                throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "Too many webhook deliveries are being verified; retry this one later.").retryAfter(RETRY_AFTER);
            }
            return Uni.createFrom().deferred(() -> work.get())
                    .onTermination().invoke(active::decrementAndGet);
        });
    }
}
