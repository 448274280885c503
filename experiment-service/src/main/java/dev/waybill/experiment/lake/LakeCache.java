package dev.waybill.experiment.lake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

import org.jboss.logging.Logger;

import dev.waybill.common.id.Digests;
import dev.waybill.experiment.lake.LakeDay.LakeFile;

/**
 * Whole objects of the lake on the local disk, up to a size. A file gets its name when it is complete; concurrent queries share
 * one download. Files of running queries are not deleted.
 */
final class LakeCache {

    private static final Logger LOG = Logger.getLogger(LakeCache.class);
    private static final String COMPLETE = ".parquet";
    private static final String PARTIAL = ".part";
    // Files contain texts of runs that may be deleted meanwhile.
    private static final Duration MAX_UNUSED = Duration.ofHours(1);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);
    private static final int MAX_REMEMBERED_FAILURES = 1_000;

    private final Path directory;
    private final long maxBytes;
    private final BiFunction<LakeFile, Path, CompletableFuture<?>> download;
    private final Executor executor;
    private final LakeMetrics metrics;
    private final LongSupplier nanoTime;
    // The least recently used first.
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75F, true);
    private final Map<String, Long> failures = new HashMap<>();
    private long bytes;
    private long downloads;

    /**
     * Creates an empty cache in an empty directory.
     *
     * @param download writes the object of a file to a new file
     * @param executor executes blocking work
     */
    LakeCache(Path directory, long maxBytes, BiFunction<LakeFile, Path, CompletableFuture<?>> download, Executor executor,
            LakeMetrics metrics, LongSupplier nanoTime) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.download = download;
        this.executor = executor;
        this.metrics = metrics;
        this.nanoTime = nanoTime;
    }

    /** Returns the size of the files, including those that are being downloaded. */
    synchronized long bytes() {
        return bytes;
    }

    /** Returns whether no file has to be downloaded first. */
    synchronized boolean contains(List<LakeFile> files) {
        return files.stream().map(file -> entries.get(name(file))).allMatch(entry -> entry != null && entry.file.isDone());
    }

    /**
     * Downloads the files that are missing and waits for them.
     *
     * @throws LakeException if a file is not available in time
     */
    PinnedFiles open(List<LakeFile> files, Duration timeout) throws InterruptedException {
        long deadline = nanoTime.getAsLong() + timeout.toNanos();
        PinnedFiles pinned = new PinnedFiles();
        try {
            for (LakeFile file : files) {
                pinned.entries.add(pin(file));
            }
            for (Entry entry : pinned.entries) {
                pinned.paths.add(entry.file.get(deadline - nanoTime.getAsLong(), TimeUnit.NANOSECONDS));
            }
            return pinned;
        } catch (ExecutionException | TimeoutException e) {
            pinned.close();
            throw new LakeException("a file of the lake could not be fetched", e);
        } catch (LakeException | InterruptedException e) {
            pinned.close();
            throw e;
        }
    }

    /** Starts the downloads of missing files, as many as possible, without waiting for them. */
    void prefetch(List<LakeFile> files) {
        for (LakeFile file : files) {
            try {
                unpin(List.of(pin(file)));
            } catch (LakeException e) {
                LOG.debug("a file of the lake is not fetched", e);
            }
        }
    }

    /** Deletes files that cannot be read; they are fetched again after an interval. */
    synchronized void discard(List<LakeFile> files) {
        for (LakeFile file : files) {
            String name = name(file);
            Entry entry = entries.remove(name);
            if (entry != null) {
                delete(name, entry);
            }
            addFailure(name);
        }
    }

    /** Deletes files that no query has used for an hour. */
    synchronized void deleteUnused() {
        long now = nanoTime.getAsLong();
        entries.entrySet().removeIf(candidate -> {
            boolean unused = candidate.getValue().isUnpinned() && now - candidate.getValue().usedAt > MAX_UNUSED.toNanos();
            if (unused) {
                delete(candidate.getKey(), candidate.getValue());
            }
            return unused;
        });
    }

    private Entry pin(LakeFile file) {
        String name = name(file);
        Entry entry;
        synchronized (this) {
            Entry present = entries.get(name);
            if (present != null && present.bytes == file.bytes()) {
                present.pins++;
                metrics.hit();
                return present;
            }
            if (present != null) {
                entries.remove(name);
                delete(name, present);
            }
            requireNoRecentFailure(name);
            reserve(file.bytes());
            entry = new Entry(file.bytes());
            entry.pins++;
            entries.put(name, entry);
        }
        metrics.missed();
        fetch(file, name, entry);
        return entry;
    }

    private void fetch(LakeFile file, String name, Entry entry) {
        Path part = directory.resolve(name + "-" + nextDownload() + PARTIAL);
        CompletableFuture<?> downloaded;
        try {
            downloaded = download.apply(file, part);
        } catch (RuntimeException e) {
            downloaded = CompletableFuture.failedFuture(e);
        }
        downloaded.handleAsync((_, failure) -> {
            try {
                if (failure != null) {
                    throw new CompletionException(failure);
                }
                entry.file.complete(complete(file, part, directory.resolve(name + COMPLETE)));
            } catch (IOException | RuntimeException e) {
                fail(file, name, entry, part, e);
            }
            return null;
        }, executor);
    }

    private synchronized long nextDownload() {
        return downloads++;
    }

    private static Path complete(LakeFile file, Path part, Path target) throws IOException {
        long size = Files.size(part);
        if (size != file.bytes()) {
            throw new IOException("the object has " + size + " instead of " + file.bytes() + " bytes");
        }
        return Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private void fail(LakeFile file, String name, Entry entry, Path part, Exception failure) {
        metrics.fetchFailed();
        LOG.warnf("file %s of the lake could not be fetched, so searches read more: %s", file.key(),
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure);
        deleteFile(part);
        synchronized (this) {
            if (entries.remove(name, entry)) {
                bytes -= entry.bytes;
            }
            addFailure(name);
        }
        entry.file.completeExceptionally(failure);
    }

    private void requireNoRecentFailure(String name) {
        Long failedAt = failures.get(name);
        if (failedAt != null && nanoTime.getAsLong() - failedAt < RETRY_INTERVAL.toNanos()) {
            throw new LakeException("a file of the lake could not be fetched recently");
        }
        failures.remove(name);
    }

    private void addFailure(String name) {
        if (failures.size() >= MAX_REMEMBERED_FAILURES) {
            failures.clear();
        }
        failures.put(name, nanoTime.getAsLong());
    }

    private void reserve(long size) {
        Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
        while (bytes + size > maxBytes && oldest.hasNext()) {
            Map.Entry<String, Entry> candidate = oldest.next();
            if (candidate.getValue().isUnpinned()) {
                oldest.remove();
                delete(candidate.getKey(), candidate.getValue());
            }
        }
        if (bytes + size > maxBytes || usableSpace() < size) {
            throw new LakeException("the cache of the lake is full");
        }
        bytes += size;
    }

    private long usableSpace() {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            throw new LakeException("the directory of the lake's cache is not available", e);
        }
    }

    private void delete(String name, Entry entry) {
        bytes -= entry.bytes;
        deleteFile(directory.resolve(name + COMPLETE));
    }

    private static void deleteFile(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warnf("file %s could not be deleted: %s", file, e);
        }
    }

    private static String name(LakeFile file) {
        return Digests.sha256Hex(file.key());
    }

    private synchronized void unpin(List<Entry> pinned) {
        pinned.forEach(entry -> {
            entry.pins--;
            entry.usedAt = nanoTime.getAsLong();
        });
    }

    /** Files that remain on the disk until they are closed. */
    final class PinnedFiles implements AutoCloseable {

        private final List<Entry> entries = new ArrayList<>();
        private final List<Path> paths = new ArrayList<>();

        /** Returns the files in the order of the request. */
        List<Path> paths() {
            return List.copyOf(paths);
        }

        @Override
        public void close() {
            unpin(entries);
            entries.clear();
        }
    }

    /** A file that is complete or being downloaded. */
    private static final class Entry {

        private final long bytes;
        private final CompletableFuture<Path> file = new CompletableFuture<>();
        private int pins;
        private long usedAt;

        Entry(long bytes) {
            this.bytes = bytes;
        }

        boolean isUnpinned() {
            return pins == 0 && file.isDone();
        }
    }
}
