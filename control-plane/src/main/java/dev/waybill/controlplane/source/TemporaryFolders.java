package dev.waybill.controlplane.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Manages the temporary folder of this process. The folder has a file lock that the system releases when the process
 * ends, so that the next process can remove folders of processes that were killed.
 */
public final class TemporaryFolders {

    /** The instance of this process. */
    public static final TemporaryFolders INSTANCE = new TemporaryFolders(null);

    private static final String PREFIX = "waybill-fetched-";
    private static final String LOCK = "lock";

    private final @Nullable Path parent;
    private @Nullable Path root;
    // Closing any channel of a file releases the process's locks on it, so these channels stay open.
    private final List<FileChannel> open = new ArrayList<>();

    /** @param parent the parent folder; null for {@code java.io.tmpdir} */
    TemporaryFolders(@Nullable Path parent) {
        this.parent = parent;
    }

    /** Creates a folder; the caller {@linkplain #remove removes} it. */
    public Path create(String name) throws IOException {
        return Files.createTempDirectory(root(), name);
    }

    /** Returns the folder of this process and creates it if it is missing. */
    public synchronized Path root() throws IOException {
        Path known = root;
        if (known == null || !Files.isDirectory(known)) {
            Path parentFolder = parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent;
            removeOrphans(parentFolder);
            known = createLocked(parentFolder);
            root = known;
        }
        return known;
    }

    private Path createLocked(Path parentFolder) throws IOException {
        while (true) {
            Path folder = Files.createTempDirectory(parentFolder, PREFIX);
            FileLock lock = tryLock(folder, StandardOpenOption.CREATE_NEW);
            if (lock != null) {
                open.add(lock.channel());
                return folder;
            }
            // Another process found the folder before it was locked and removes it.
        }
    }

    private void removeOrphans(Path parentFolder) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parentFolder, PREFIX + "*")) {
            for (Path folder : folders) {
                removeIfOrphaned(folder);
            }
        }
    }

    /** Removes the folder if its process has ended; ignores folders without permission. */
    private void removeIfOrphaned(Path folder) {
        if (!Files.isRegularFile(folder.resolve(LOCK))) {
            // Another process is creating or removing the folder.
            return;
        }
        try {
            FileLock lock = tryLock(folder, StandardOpenOption.WRITE);
            if (lock != null) {
                try (FileChannel ignored = lock.channel()) {
                    remove(folder);
                }
            }
        } catch (IOException _) {
            // The next process retries.
        }
    }

    private @Nullable FileLock tryLock(Path folder, StandardOpenOption option) throws IOException {
        FileChannel channel = FileChannel.open(folder.resolve(LOCK), option, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
            }
            return lock;
        } catch (OverlappingFileLockException _) {
            // This process holds the lock.
            open.add(channel);
            return null;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Deletes the folder recursively, without following links. */
    public static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(TemporaryFolders::delete);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
