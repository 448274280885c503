package dev.waybill.runtime.storage.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/** Lock of a directory, which one process at a time holds. It ends with the process, however that ends. */
final class StorageLock implements AutoCloseable {

    /**
     * Directories that this process has locked. Closing a second channel of a lock file would release the lock: POSIX locks
     * belong to the process.
     */
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();
    private static final int MAX_OWNER_BYTES = 64;

    private final Path directory;
    private final FileChannel channel;

    private StorageLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Locks a directory; fails with the id of the process that holds the lock. */
    static StorageLock acquire(Path directory) throws IOException {
        Path real = directory.toRealPath();
        if (!LOCKED.add(real)) {
            throw inUse(real, "this process");
        }
        try {
            return new StorageLock(real, lock(real));
        } catch (IOException | RuntimeException e) {
            LOCKED.remove(real);
            throw e;
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel = FileChannel.open(directory.resolve("threads.lock"), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(directory, "process " + read(channel));
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)), 0);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer owner = ByteBuffer.allocate(MAX_OWNER_BYTES);
        channel.read(owner, 0);
        return StandardCharsets.UTF_8.decode(owner.flip()).toString().strip();
    }

    private static IllegalStateException inUse(Path directory, @Nullable String owner) {
        return new IllegalStateException(("The directory %s stores the threads of another runtime (%s). Stop that one, or set "
                + "waybill.runtime.threads.directory to a directory of this runtime.").formatted(directory, owner));
    }

    @Override
    public void close() throws IOException {
        channel.close();
        LOCKED.remove(directory);
    }
}
