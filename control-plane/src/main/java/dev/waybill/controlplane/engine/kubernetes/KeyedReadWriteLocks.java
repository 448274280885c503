package dev.waybill.controlplane.engine.kubernetes;

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * A read-write lock per deployment: steps that create objects share it, removal is exclusive. A cancelled step and an
 * observation can still run while the next step starts; what they create must not outlive a removal. A lock exists only while
 * it is held or waited for.
 */
final class KeyedReadWriteLocks {

    private final ConcurrentMap<UUID, Entry> locks = new ConcurrentHashMap<>();

    /** Runs work that creates objects. */
    <T> T shared(UUID deploymentId, Callable<T> work) throws Exception {
        return withLock(deploymentId, ReadWriteLock::readLock, work);
    }

    /** Runs work that removes objects. */
    <T> T exclusive(UUID deploymentId, Callable<T> work) throws Exception {
        return withLock(deploymentId, ReadWriteLock::writeLock, work);
    }

    /** Returns the number of deployments with a lock. */
    int size() {
        return locks.size();
    }

    /** Returns whether a thread waits for the deployment's lock. */
    boolean hasWaiters(UUID deploymentId) {
        Entry entry = locks.get(deploymentId);
        return entry != null && entry.lock().hasQueuedThreads();
    }

    private <T> T withLock(UUID deploymentId, Function<ReadWriteLock, Lock> kind, Callable<T> work) throws Exception {
        Entry entry = locks.compute(deploymentId,
                (_, known) -> (known == null ? new Entry(new ReentrantReadWriteLock(), 0) : known)
                        .with(1));
        try {
            Lock lock = kind.apply(entry.lock());
            lock.lockInterruptibly();
            try {
                return work.call();
            } finally {
                lock.unlock();
            }
        } finally {
            locks.computeIfPresent(deploymentId, (_, known) -> known.users() == 1 ? null : known.with(-1));
        }
    }

    /** @param users number of threads that hold it or wait for it */
    private record Entry(ReentrantReadWriteLock lock, int users) {

        Entry with(int more) {
            return new Entry(lock, users + more);
        }
    }
}
