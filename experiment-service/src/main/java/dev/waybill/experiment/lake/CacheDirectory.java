package dev.waybill.experiment.lake;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A directory that no other process uses: the first one in a parent directory that can be locked. */
record CacheDirectory(Path path, FileChannel lock) implements AutoCloseable {

    private static final int MAX_PROCESSES = 64;

    /** Locks a directory; the operating system releases the lock when the process ends. */
    static CacheDirectory lock(Path parent) throws IOException {
        for (int i = 0; i < MAX_PROCESSES; i++) {
            Path path = Files.createDirectories(parent.resolve(Integer.toString(i))).toRealPath();
            FileChannel channel = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel)) {
                return new CacheDirectory(path, channel);
            }
            channel.close();
        }
        throw new IOException("all directories in " + parent + " are in use");
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
