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
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * Long polls of clients that wait for a revision to change. Changes by this replica wake them immediately; changes by
 * other replicas are found by one query for all of them ({@link #onVersions}). A waiter costs one future; their number
 * is limited.
 */
@Singleton
public class RevisionWaiters {

    private static final int MAX_WAITERS = 1_000;

    private final int maxWaiters;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<UUID, Set<Waiter>> waiters = new ConcurrentHashMap<>();

    @Inject
    RevisionWaiters() {
        this(MAX_WAITERS);
    }

    RevisionWaiters(int maxWaiters) {
        this.maxWaiters = maxWaiters;
    }

    /**
     * Returns the revision as soon as it matches, when the time has elapsed, or immediately if too many clients wait.
     */
    Uni<Revision> tryUntilMatches(UUID deploymentId, Duration wait, Supplier<Uni<Revision>> read,
            Predicate<Revision> condition) {
        return Uni.createFrom().deferred(() -> isFull() ? read.get() : untilMatches(deploymentId, wait, read, condition));
    }

    /**
     * As {@link #tryUntilMatches}, but without the limit, for clients that were admitted before and wait repeatedly: an
     * immediate response would make them poll in a busy loop.
     */
    public Uni<Revision> untilMatches(UUID deploymentId, Duration wait, Supplier<Uni<Revision>> read,
            Predicate<Revision> condition) {
        return Uni.createFrom()
                .deferred(() -> poll(deploymentId, System.nanoTime() + wait.toNanos(), read, condition));
    }

    /** Returns whether the maximum number of clients is waiting. */
    public boolean isFull() {
        return count.get() >= maxWaiters;
    }

    /** Returns the awaited revisions, each with its workspace. */
    Map<UUID, UUID> revisions() {
        return all().map(waiter -> waiter.known)
                .filter(Objects::nonNull)
                .collect(Collectors.toMap(Revision::id, Revision::tenantId, (one, same) -> one));
    }

    /** Wakes the waiters whose revision has another version in the database, or is missing there. */
    void onVersions(Map<UUID, Long> versions) {
        all().filter(waiter -> differs(waiter.known, versions))
                .forEach(waiter -> waiter.signal.complete(null));
    }

    private static boolean differs(@Nullable Revision known, Map<UUID, Long> versions) {
        return known != null
                && !Long.valueOf(version(known.updatedAt(), known.logLines())).equals(versions.get(known.id()));
    }

    void onChange(@Observes RevisionChanged changed) {
        waiters.getOrDefault(changed.deploymentId(), Set.of()).forEach(waiter -> waiter.signal.complete(null));
    }

    // Registers before reading, so that no change between the two is missed.
    private Uni<Revision> poll(UUID deploymentId, long deadline, Supplier<Uni<Revision>> read, Predicate<Revision> condition) {
        Waiter waiter = new Waiter();
        add(deploymentId, waiter);
        return read.get()
                .chain(found -> condition.test(found) || deadline - System.nanoTime() <= 0
                        ? Uni.createFrom().item(found)
                        : sleep(waiter, deadline, found)
                                .eventually(() -> remove(deploymentId, waiter))
                                .chain(() -> poll(deploymentId, deadline, read, condition)))
                .onTermination().invoke(() -> remove(deploymentId, waiter));
    }

    private static Uni<Void> sleep(Waiter waiter, long deadline, Revision known) {
        waiter.known = known;
        Duration remaining = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        return Uni.createFrom().completionStage(waiter.signal)
                .ifNoItem().after(remaining).recoverWithItem((Void) null);
    }

    /** Returns a number that changes with the revision and with its log. */
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

        private final CompletableFuture<@Nullable Void> signal = new CompletableFuture<>();
        private volatile @Nullable Revision known;
    }
}
