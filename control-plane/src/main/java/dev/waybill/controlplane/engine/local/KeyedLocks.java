package dev.waybill.controlplane.engine.local;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** A lock for each key, which is there only while somebody holds it or waits for it. */
final class KeyedLocks<K> {

    private final ConcurrentMap<K, Lock> locks = new ConcurrentHashMap<>();

    /** Waits until nobody else holds it; let go of it by closing what is answered. */
    Held take(K key) throws InterruptedException {
        Lock lock = locks.compute(key, (_, known) -> (known == null ? new Lock() : known).oneMore());
        try {
            lock.lock.lockInterruptibly();
        } catch (InterruptedException e) {
            leave(key);
            throw e;
        }
        return () -> {
            lock.lock.unlock();
            leave(key);
        };
    }

    /** How many keys somebody holds or waits for. */
    int size() {
        return locks.size();
    }

    private void leave(K key) {
        locks.computeIfPresent(key, (_, known) -> known.isAnyoneElse() ? known : null);
    }

    /** What is held. */
    interface Held extends AutoCloseable {

        @Override
        void close();
    }

    private static final class Lock {

        private final ReentrantLock lock = new ReentrantLock();
        // Changed only while the map computes its entry.
        private int users;

        private Lock oneMore() {
            users++;
            return this;
        }

        private boolean isAnyoneElse() {
            users--;
            return users > 0;
        }
    }
}
