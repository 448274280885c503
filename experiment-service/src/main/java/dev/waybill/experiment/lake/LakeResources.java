package dev.waybill.experiment.lake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jboss.logging.Logger;

import dev.waybill.common.lake.IndexFormat;
import dev.waybill.common.lake.TextIndex;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;
import dev.waybill.experiment.storage.BucketReader;

/** DuckDB, the cache and the S3 client, which are opened by the first query of a valid day. */
final class LakeResources implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(LakeResources.class);
    private static final int MAX_THREADS = 4;
    private static final Duration CANCEL_INTERVAL = Duration.ofMillis(100);
    private static final Duration CLEANUP_INTERVAL = Duration.ofMinutes(10);
    // DuckDB's messages about files that it cannot read; other errors would only repeat the download.
    private static final List<String> FILE_ERRORS = List.of("Invalid Input", "Invalid Error", "IO Error", "No magic bytes");

    private final LakeCache cache;
    private final SelectedRowsCache selections = new SelectedRowsCache();
    private final DuckDb duckDb;
    private final LakeMetrics metrics;
    private final ScheduledExecutorService timer;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    LakeResources(LakeConfig config, TrustedAuthorities authorities, LakeMetrics metrics) throws IOException, SQLException {
        this.metrics = metrics;
        try {
            CacheDirectory directory = CacheDirectory.lock(config.cache().directory()
                    .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"), "waybill-lake")));
            opened.push(directory);
            BucketReader objects = new BucketReader(new BucketReader.Bucket(config.bucket().orElseThrow(), config.region(),
                    config.endpointUrl(), config.accessKeyId(), config.secretAccessKey()), authorities);
            opened.push(objects);
            ExecutorService executor = Executors
                    .newThreadPerTaskExecutor(Thread.ofVirtual().name("waybill-lake-cache-", 0).factory());
            opened.push(executor::shutdownNow);
            timer = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("waybill-lake-timeouts").factory());
            opened.push(timer::shutdownNow);
            cache = new LakeCache(directory.path(), config.cache().maxBytes().asLongValue(),
                    (file, path) -> download(objects, file, path, executor), executor, metrics, System::nanoTime);
            duckDb = new DuckDb(directory.path(), config.memory().asLongValue(),
                    Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
            opened.push(duckDb);
            timer.scheduleWithFixedDelay(() -> executor.execute(cache::deleteUnused), CLEANUP_INTERVAL.toSeconds(),
                    CLEANUP_INTERVAL.toSeconds(), TimeUnit.SECONDS);
            metrics.monitor(cache);
        } catch (IOException | SQLException | RuntimeException | LinkageError e) {
            close();
            throw e;
        }
    }

    // Wrong indexes would exclude runs, while DuckDB detects wrong files.
    private static CompletableFuture<?> download(BucketReader objects, LakeFile file, Path path, Executor executor) {
        CompletableFuture<?> downloaded = objects.download(file.key(), file.bytes(), path);
        return !IndexFormat.isIndex(file.key()) ? downloaded : downloaded.thenAcceptAsync(_ -> {
            try {
                TextIndex.validate(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, executor);
    }

    LakeCache cache() {
        return cache;
    }

    SelectedRowsCache selections() {
        return selections;
    }

    /** Searches files that remain on the disk until it returns. */
    List<RunPosition> find(LakeQuery query, List<LakeFile> files, List<FileRows> rows, long deadline,
            RunningStatement running) {
        // DuckDB ignores a cancellation shortly before the statement begins, so it is repeated.
        ScheduledFuture<?> timeout = timer.scheduleWithFixedDelay(running::cancel, deadline - System.nanoTime(),
                CANCEL_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
        try {
            List<RunPosition> found = duckDb.find(query, rows, running);
            metrics.searched();
            return found;
        } catch (SQLException e) {
            if (running.isCancelled()) {
                throw new LakeException("the search of the lake exceeded its time limit", e);
            }
            metrics.fetchFailed();
            LOG.warnf("files of the lake could not be searched, so their days are read from PostgreSQL: %s: %s",
                    files.stream().map(LakeFile::key).toList(), e.getMessage());
            String message = String.valueOf(e.getMessage());
            if (FILE_ERRORS.stream().anyMatch(message::contains)) {
                cache.discard(files);
            }
            throw new LakeException("files of the lake could not be searched", e);
        } finally {
            timeout.cancel(false);
        }
    }

    /** Closes everything that was opened, the last first. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.debug("a resource of the lake's reader could not be closed", e);
            }
        }
    }
}
