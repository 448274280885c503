package dev.waybill.experiment.lake;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;
import dev.waybill.experiment.storage.BucketReader;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Finds keys of runs in the lake. Without {@code waybill.lake.bucket} it loads neither DuckDB nor the S3 client. */
@Singleton
public class LakeReader {

    private static final Logger LOG = Logger.getLogger(LakeReader.class);
    // Each statement uses all threads of DuckDB, so more would only share its memory.
    private static final int MAX_STATEMENTS = 2;
    private static final int MAX_THREADS = 4;
    private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
    private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

    private final LakeConfig config;
    private final LakeRepository repository;
    private final LakeMetrics metrics;
    private final Blocking blocking;
    private final TrustedAuthorities authorities;
    private final Semaphore statements = new Semaphore(MAX_STATEMENTS, true);
    private @Nullable Resources resources;

    LakeReader(LakeConfig config, LakeRepository repository, LakeMetrics metrics, Blocking blocking,
            TrustedAuthorities authorities) {
        this.config = config;
        this.repository = repository;
        this.metrics = metrics;
        this.blocking = blocking;
        this.authorities = authorities;
    }

    /** Returns whether a lake is configured. */
    public boolean isEnabled() {
        return config.bucket().isPresent();
    }

    /** Returns the largest size of files to search with one statement; their size in the cache stays below its maximum. */
    public long maxBytesOfStatement() {
        return config.cache().maxBytes().asLongValue() / (2 * MAX_STATEMENTS);
    }

    /**
     * Returns the valid days of a workspace that have runs between two start times, oldest first.
     *
     * @param from lower bound, inclusive; empty for none
     * @param to upper bound, exclusive; empty for none
     */
    public Uni<List<LakeDay>> validDays(SqlConnection connection, UUID tenantId, Optional<Instant> from, Optional<Instant> to) {
        return repository
                .validDays(connection, tenantId, from.map(LakeReader::day).orElse(FIRST_DAY),
                        to.map(bound -> day(bound.minusNanos(1))).orElse(LAST_DAY))
                .map(days -> days.stream().filter(day -> hasOwnFiles(tenantId, day)).toList());
    }

    /** Returns whether days are still valid, with the same files, in the snapshot of the transaction. */
    public Uni<Boolean> areValid(SqlConnection connection, UUID tenantId, List<LakeDay> days) {
        return repository.validDays(connection, tenantId, days.getFirst().day(), days.getLast().day())
                .map(valid -> new HashSet<>(valid).containsAll(days));
    }

    /**
     * Returns the first keys of a query in its order. Fails with {@link LakeException} if the files cannot be read in time; the
     * cause is logged.
     */
    public Uni<List<RunPosition>> find(LakeQuery query, List<LakeDay> days, Duration timeout) {
        RunningStatement running = new RunningStatement();
        long deadline = System.nanoTime() + timeout.toNanos();
        // DuckDB does not return to Java while it works, which would block the carrier of a virtual thread.
        return blocking.callOnPlatformThread(() -> find(query, days, deadline, running))
                .onCancellation().invoke(running::cancel);
    }

    /** Counts a range of days that had to be read from PostgreSQL. */
    public void fellBack() {
        metrics.fellBack();
    }

    private List<RunPosition> find(LakeQuery query, List<LakeDay> days, long deadline, RunningStatement running)
            throws InterruptedException {
        List<LakeFile> files = days.stream().flatMap(day -> day.files().stream()).toList();
        if (files.isEmpty()) {
            return List.of();
        }
        if (!statements.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new LakeException("too many statements are running");
        }
        try {
            Resources open = resources();
            try (LakeCache.PinnedFiles pinned = open.cache.open(files, Duration.ofNanos(deadline - System.nanoTime()))) {
                return open.find(query, files, pinned.paths(), deadline, running);
            }
        } finally {
            statements.release();
        }
    }

    private synchronized Resources resources() {
        if (resources == null) {
            try {
                resources = new Resources(config, authorities, metrics);
            } catch (IOException | SQLException | LinkageError e) {
                LOG.error("the reader of the lake could not be started; all queries read PostgreSQL", e);
                throw new LakeException("the reader of the lake could not be started", e);
            }
        }
        return resources;
    }

    // The rows of another workspace have another tenant_id, so this only detects wrong entries earlier.
    private boolean hasOwnFiles(UUID tenantId, LakeDay day) {
        String prefix = config.prefix() + "runs/tenant_id=" + tenantId + "/day=" + day.day() + "/";
        boolean own = day.files().stream().allMatch(file -> file.key().startsWith(prefix));
        if (!own) {
            LOG.errorf("the files of %s are outside of %s; the day is read from PostgreSQL", day.day(), prefix);
        }
        return own;
    }

    private static LocalDate day(Instant time) {
        LocalDate day = time.atOffset(ZoneOffset.UTC).toLocalDate();
        return day.isBefore(FIRST_DAY) ? FIRST_DAY : day.isAfter(LAST_DAY) ? LAST_DAY : day;
    }

    @PreDestroy
    synchronized void close() {
        if (resources != null) {
            resources.close();
        }
    }

    /** DuckDB, the cache and the S3 client, which are opened by the first query of a valid day. */
    private static final class Resources {

        private final CacheDirectory directory;
        private final BucketReader objects;
        private final LakeCache cache;
        private final DuckDb duckDb;
        private final LakeMetrics metrics;
        private final ExecutorService executor = Executors
                .newThreadPerTaskExecutor(Thread.ofVirtual().name("waybill-lake-cache-", 0).factory());
        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("waybill-lake-timeouts").factory());

        Resources(LakeConfig config, TrustedAuthorities authorities, LakeMetrics metrics) throws IOException, SQLException {
            this.metrics = metrics;
            directory = CacheDirectory.lock(config.cache().directory()
                    .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"), "waybill-lake")));
            objects = new BucketReader(new BucketReader.Bucket(config.bucket().orElseThrow(), config.region(),
                    config.endpointUrl(), config.accessKeyId(), config.secretAccessKey()), authorities);
            cache = new LakeCache(directory.path(), config.cache().maxBytes().asLongValue(), objects::download, executor,
                    metrics,
                    System::nanoTime);
            duckDb = new DuckDb(directory.path(), config.memory().asLongValue(),
                    Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
            metrics.monitor(cache);
        }

        List<RunPosition> find(LakeQuery query, List<LakeFile> files, List<Path> paths, long deadline,
                RunningStatement running) {
            ScheduledFuture<?> timeout = timer.schedule(running::cancel, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            try {
                List<RunPosition> found = duckDb.find(query, paths, running);
                metrics.searched();
                return found;
            } catch (SQLException e) {
                if (running.isCancelled()) {
                    throw new LakeException("the search of the lake exceeded its time limit", e);
                }
                metrics.fetchFailed();
                LOG.warnf("files of the lake could not be searched, so their days are read from PostgreSQL: %s: %s",
                        files.stream().map(LakeFile::key).toList(), e.getMessage());
                if (!String.valueOf(e.getMessage()).contains("Out of Memory")) {
                    cache.discard(files);
                }
                throw new LakeException("files of the lake could not be searched", e);
            } finally {
                timeout.cancel(false);
            }
        }

        void close() {
            timer.shutdownNow();
            try {
                duckDb.close();
                directory.close();
            } catch (SQLException | IOException e) {
                LOG.debug("the reader of the lake could not be closed", e);
            }
            objects.close();
            executor.shutdownNow();
        }
    }
}
