package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Exclusive lock on the benchmark folder: a second process would stop the services of the first one as leftovers. The
 * operating system releases the lock when the process ends.
 */
record BenchmarkLock(FileChannel file) implements AutoCloseable {

    /** Returns the lock; empty if another process holds it. */
    static Optional<BenchmarkLock> acquire(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel file = FileChannel.open(folder.resolve("benchmark.lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (lock(file) == null) {
                file.close();
                return Optional.empty();
            }
            return Optional.of(new BenchmarkLock(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable FileLock lock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
