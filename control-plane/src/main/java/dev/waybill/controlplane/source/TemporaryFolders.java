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
 * The folder in which this process fetches. It has a lock that goes with the process: so what one left that was killed is
 * known,
 * and the next one removes it.
 */
public final class TemporaryFolders {

    /** The process's own, among those of other processes. */
    public static final TemporaryFolders OURS = new TemporaryFolders(null);

    private static final String PREFIX = "waybill-fetched-";
    private static final String LOCK = "lock";

    private final @Nullable Path parent;
    private @Nullable Path own;
    // Whoever closes a file lets go of its lock for the whole process: what is not to be let go of stays open.
    private final List<FileChannel> open = new ArrayList<>();

    /** @param parent null: where the machine has such folders */
    TemporaryFolders(@Nullable Path parent) {
        this.parent = parent;
    }

    /** A new folder, to be {@linkplain #remove removed} when it is not needed any more. */
    public Path create(String name) throws IOException {
        return Files.createTempDirectory(own(), name);
    }

    /** The folder that others are made in. */
    public synchronized Path own() throws IOException {
        Path known = own;
        if (known == null || !Files.isDirectory(known)) {
            Path among = parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent;
            sweep(among);
            known = begin(among);
            own = known;
        }
        return known;
    }

    private Path begin(Path among) throws IOException {
        while (true) {
            Path folder = Files.createTempDirectory(among, PREFIX);
            FileLock lock = tryLock(folder, StandardOpenOption.CREATE_NEW);
            if (lock != null) {
                open.add(lock.channel());
                return folder;
            }
            // Whoever swept found it before it was locked, and removes it.
        }
    }

    private void sweep(Path among) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(among, PREFIX + "*")) {
            for (Path folder : folders) {
                sweepOne(folder);
            }
        }
    }

    /** One that cannot be removed, as another user's, stays. */
    private void sweepOne(Path folder) {
        if (!Files.isRegularFile(folder.resolve(LOCK))) {
            // It is being made, or being removed.
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
            // The next one tries again.
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
            // Held, and in this very process.
            open.add(channel);
            return null;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The folder and all in it; links are removed and not followed. */
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
