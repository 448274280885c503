package dev.waybill.controlplane.push;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

/** Has a place for so many deliveries, each of which holds its body in memory; a further one is told to come back. */
final class Bulkhead {

    private static final Duration COME_BACK = Duration.ofSeconds(5);

    private final AtomicInteger taken = new AtomicInteger();
    private final int places;

    Bulkhead(int places) {
        this.places = places;
    }

    /** The result of {@code work}, which has a place until it has ended in whatever way; 429 when there is none. */
    <T> Uni<T> within(Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            if (taken.incrementAndGet() > places) {
                taken.decrementAndGet();
                throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "Too many deliveries are being checked; send this one again.").retryAfter(COME_BACK);
            }
            return Uni.createFrom().deferred(() -> work.get())
                    .onTermination().invoke(taken::decrementAndGet);
        });
    }
}
