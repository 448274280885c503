package dev.waybill.controlplane.revision;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * Callers that wait for a revision to change. What changes in this replica wakes them at once; what changes elsewhere is found
 * by one query for all of them ({@link #sawVersions}). Waiting takes a future and nothing else, and only so many may.
 */
@Singleton
public class RevisionWaiters {

    private final int most;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<UUID, Set<Waiter>> waiters = new ConcurrentHashMap<>();

    RevisionWaiters(RevisionConfig config) {
        this.most = config.mostWaiters();
    }

    /** What {@code read} answers as soon as it is {@code enough}, else when the time is over or too many wait already. */
    Uni<Revision> until(UUID deploymentId, Duration wait, Supplier<Uni<Revision>> read, Predicate<Revision> enough) {
        return Uni.createFrom().deferred(() -> isFull() ? read.get() : untilAdmitted(deploymentId, wait, read, enough));
    }

    /**
     * As above for who was found to have a place before, and asks again and again: answered at once whenever others have filled
     * up, it would ask without a pause.
     */
    public Uni<Revision> untilAdmitted(UUID deploymentId, Duration wait, Supplier<Uni<Revision>> read,
            Predicate<Revision> enough) {
        return Uni.createFrom()
                .deferred(() -> round(deploymentId, System.nanoTime() + wait.toNanos(), read, enough));
    }

    /** Whether one more may wait. */
    public boolean isFull() {
        return count.get() >= most;
    }

    /** The revisions that somebody waits for, each with its workspace. */
    Map<UUID, UUID> revisions() {
        return all().map(waiter -> waiter.known)
                .filter(Objects::nonNull)
                .collect(Collectors.toMap(Revision::id, Revision::tenantId, (one, same) -> one));
    }

    /** Tells what versions the database has: whoever waits with another one, or for what is gone, looks again. */
    void sawVersions(Map<UUID, Long> versions) {
        all().filter(waiter -> differs(waiter.known, versions))
                .forEach(waiter -> waiter.woken.complete(null));
    }

    private static boolean differs(@Nullable Revision known, Map<UUID, Long> versions) {
        return known != null
                && !Long.valueOf(version(known.updatedAt(), known.logLines())).equals(versions.get(known.id()));
    }

    void onChange(@Observes RevisionChanged changed) {
        waiters.getOrDefault(changed.deploymentId(), Set.of()).forEach(waiter -> waiter.woken.complete(null));
    }

    // Registered before it is read, so that no change falls between the two.
    private Uni<Revision> round(UUID deploymentId, long deadline, Supplier<Uni<Revision>> read, Predicate<Revision> enough) {
        Waiter waiter = new Waiter();
        add(deploymentId, waiter);
        return read.get()
                .chain(found -> enough.test(found) || deadline - System.nanoTime() <= 0
                        ? Uni.createFrom().item(found)
                        : sleep(waiter, deadline, found)
                                .eventually(() -> remove(deploymentId, waiter))
                                .chain(() -> round(deploymentId, deadline, read, enough)))
                .onTermination().invoke(() -> remove(deploymentId, waiter));
    }

    private static Uni<Void> sleep(Waiter waiter, long deadline, Revision known) {
        waiter.known = known;
        Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        return Uni.createFrom().completionStage(waiter.woken)
                .ifNoItem().after(left).recoverWithItem((Void) null);
    }

    /** What differs as soon as the revision or its log does. */
    static long version(Instant updatedAt, long logLines) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, updatedAt) * 31 + logLines;
    }

    private Stream<Waiter> all() {
        return waiters.values().stream().flatMap(Set::stream);
    }

    private void add(UUID deploymentId, Waiter waiter) {
        count.incrementAndGet();
        waiters.compute(deploymentId, (id, known) -> {
            Set<Waiter> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            all.add(waiter);
            return all;
        });
    }

    private void remove(UUID deploymentId, Waiter waiter) {
        waiters.computeIfPresent(deploymentId, (id, known) -> {
            if (known.remove(waiter)) {
                count.decrementAndGet();
            }
            return known.isEmpty() ? null : known;
        });
    }

    private static final class Waiter {

        private final CompletableFuture<@Nullable Void> woken = new CompletableFuture<>();
        private volatile @Nullable Revision known;
    }
}
