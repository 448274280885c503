package dev.waybill.experiment.lake;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A directory that no other process and no other user reads: the first one in a parent directory that can be locked. */
record CacheDirectory(Path path, FileChannel lock) implements AutoCloseable {

    private static final int MAX_PROCESSES = 64;
    private static final String LOCK = "lock";
    private static final int ROOT = 0;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * Locks a directory and deletes the files of processes that have ended. The operating system releases the lock when the
     * process ends.
     */
    static CacheDirectory lock(Path parent) throws IOException {
        Path directory = Files.createDirectories(parent, PosixFilePermissions.asFileAttribute(OWNER_ONLY)).toRealPath();
        int user = user(directory);
        requireOwner(directory, List.of(user, ROOT));
        Optional<CacheDirectory> locked = Optional.empty();
        for (int i = 0; i < MAX_PROCESSES; i++) {
            Path path = directory.resolve(Integer.toString(i));
            if (locked.isEmpty()) {
                Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
                requireOwner(path, List.of(user));
                Files.setPosixFilePermissions(path, OWNER_ONLY);
                locked = tryLock(path);
                if (locked.isPresent()) {
                    locked.get().deleteFiles();
                }
            } else if (Files.isDirectory(path) && owner(path) == user) {
                deleteFilesOfEndedProcess(path);
            }
        }
        return locked.orElseThrow(() -> new IOException("all directories in " + parent + " are in use"));
    }

    private static Optional<CacheDirectory> tryLock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return Optional.of(new CacheDirectory(path, channel));
            }
        } catch (OverlappingFileLockException _) {
            // Another reader of this process has locked it.
        }
        channel.close();
        return Optional.empty();
    }

    private static void deleteFilesOfEndedProcess(Path path) throws IOException {
        Optional<CacheDirectory> unused = tryLock(path);
        if (unused.isPresent()) {
            unused.get().close();
        }
    }

    private static void requireOwner(Path path, List<Integer> allowed) throws IOException {
        if (!allowed.contains(owner(path))) {
            throw new IOException(path + " belongs to another user; delete it or set waybill.lake.cache.directory");
        }
    }

    private static int owner(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }

    private static int user(Path directory) throws IOException {
        Path file = Files.createTempFile(directory, "user", null);
        try {
            return owner(file);
        } finally {
            Files.delete(file);
        }
    }

    // The file of the lock remains: another process may be about to lock it.
    private void deleteFiles() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(path)) {
            files = found.filter(file -> !file.getFileName().toString().equals(LOCK)).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    /** Deletes the files and unlocks the directory. */
    @Override
    public void close() throws IOException {
        try {
            deleteFiles();
        } finally {
            lock.close();
        }
    }
}
