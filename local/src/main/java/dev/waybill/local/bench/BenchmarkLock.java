package dev.waybill.local.bench;

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
 * The right to measure in a folder, which one process has at a time: a second one would end the first one's services as if they
 * were left over. The system takes it back when the process ends, however it does.
 */
record BenchmarkLock(FileChannel file) implements AutoCloseable {

    /** @return empty when somebody measures there */
    static Optional<BenchmarkLock> take(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel file = FileChannel.open(folder.resolve("turn.lock"), StandardOpenOption.CREATE,
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
