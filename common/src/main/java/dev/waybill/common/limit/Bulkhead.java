package dev.waybill.common.limit;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

/** Limits concurrent work, in total and for each key; excess work is rejected instead of waiting. */
public final class Bulkhead {

    private static final UUID ANY = new UUID(0, 0);

    private final int max;
    private final int maxPerKey;
    private final Supplier<ProblemException> rejection;
    private final Map<UUID, Integer> running = new HashMap<>();
    private int total;

    /** @param rejection creates the failure of excess work */
    public Bulkhead(int max, Supplier<ProblemException> rejection) {
        this(max, max, rejection);
    }

    /** @param rejection creates the failure of excess work */
    public Bulkhead(int max, int maxPerKey, Supplier<ProblemException> rejection) {
        this.max = max;
        this.maxPerKey = maxPerKey;
        this.rejection = rejection;
    }

    /** Runs {@code work} and holds a permit until it ends; fails with the rejection if no permit is available. */
    public <T> Uni<T> execute(Supplier<Uni<T>> work) {
        return execute(ANY, work);
    }

    /** As {@link #execute(Supplier)}, within the limit of the key. */
    public <T> Uni<T> execute(UUID key, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> acquire(key)
                ? Uni.createFrom().deferred(work::get).onTermination().invoke(() -> release(key))
                : Uni.createFrom().failure(rejection.get()));
    }

    private synchronized boolean acquire(UUID key) {
        int ofKey = running.getOrDefault(key, 0);
        if (total >= max || ofKey >= maxPerKey) {
            return false;
        }
        total++;
        running.put(key, ofKey + 1);
        return true;
    }

    private synchronized void release(UUID key) {
        total--;
        running.computeIfPresent(key, (same, permits) -> permits == 1 ? null : permits - 1);
    }
}
