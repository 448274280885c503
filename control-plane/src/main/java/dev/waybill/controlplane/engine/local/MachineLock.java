package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Lets one worker in at a time, of all control planes of this machine: one that stood still past its lease notices late that
 * another has taken over. What is done inside takes moments; whoever dies inside lets go with that.
 */
final class MachineLock {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LOOK_MILLIS = 20;
    // A file's lock belongs to the whole process, and goes when any of its threads closes the file.
    private static final KeyedLocks<Path> OWN = new KeyedLocks<>();

    private MachineLock() {
    }

    /** @param file is made where it is not there; its folder must be */
    static <T> T hold(Path file, Work<T> work) throws IOException, InterruptedException {
        try (KeyedLocks.Held ignoredOwn = OWN.take(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = take(channel, file)) {
            return work.run();
        }
    }

    private static FileLock take(FileChannel channel, Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new IOException("another control plane stands still at " + file);
    }

    /** What is done alone. */
    @FunctionalInterface
    interface Work<T> {

        T run() throws IOException, InterruptedException;
    }
}
