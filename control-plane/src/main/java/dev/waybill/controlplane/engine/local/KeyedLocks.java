package dev.waybill.controlplane.engine.local;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** A mutex per key. A lock exists only while a thread holds it or waits for it. */
final class KeyedLocks<K> {

    private final ConcurrentMap<K, Lock> locks = new ConcurrentHashMap<>();

    /** Acquires the key's lock, waiting if necessary; closing the handle releases it. */
    LockHandle acquire(K key) throws InterruptedException {
        Lock lock = locks.compute(key, (_, known) -> (known == null ? new Lock() : known).addUser());
        try {
            lock.lock.lockInterruptibly();
        } catch (InterruptedException e) {
            release(key);
            throw e;
        }
        return () -> {
            lock.lock.unlock();
            release(key);
        };
    }

    /** Returns the number of keys that are held or waited for. */
    int size() {
        return locks.size();
    }

    private void release(K key) {
        locks.computeIfPresent(key, (_, known) -> known.removeUser() ? known : null);
    }

    /** A held lock. */
    interface LockHandle extends AutoCloseable {

        @Override
        void close();
    }

    private static final class Lock {

        private final ReentrantLock lock = new ReentrantLock();
        // Modified only within the map's atomic compute.
        private int users;

        private Lock addUser() {
            users++;
            return this;
        }

        private boolean removeUser() {
            users--;
            return users > 0;
        }
    }
}
