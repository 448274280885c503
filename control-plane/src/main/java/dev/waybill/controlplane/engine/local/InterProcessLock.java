package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file lock between all control planes of this machine: a replica that was paused beyond its lease can run at the same time
 * as its successor. Held only briefly; the operating system releases it when the process dies.
 */
final class InterProcessLock {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int POLL_INTERVAL_MILLIS = 20;
    // A file lock belongs to the process and is released when any thread closes the file, so threads need a lock of their own.
    private static final KeyedLocks<Path> LOCAL = new KeyedLocks<>();

    private InterProcessLock() {
    }

    /** @param file the lock file, created if missing; its folder must exist */
    static <T> T withLock(Path file, Action<T> work) throws IOException, InterruptedException {
        try (KeyedLocks.LockHandle ignoredLocal = LOCAL.acquire(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = acquire(channel, file)) {
            return work.run();
        }
    }

    private static FileLock acquire(FileChannel channel, Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < end) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
        throw new IOException("another control plane holds the lock for too long: " + file);
    }

    /** An action that runs while the lock is held. */
    @FunctionalInterface
    interface Action<T> {

        T run() throws IOException, InterruptedException;
    }

    /** A mutex per key. A lock exists only while a thread holds it or waits for it. */
    static final class KeyedLocks<K> {

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
}
