package dev.waybill.experiment.lake;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.DuckDbCondition;
import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.lake.LakeCache.PinnedFiles;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Finds keys of runs in the lake. Without {@code waybill.lake.bucket} it loads neither DuckDB nor the S3 client. */
@Singleton
public class LakeReader {

    private static final Logger LOG = Logger.getLogger(LakeReader.class);
    // Each statement uses all threads of DuckDB, so more would only share its memory.
    private static final int MAX_STATEMENTS = 2;
    private static final int MAX_DOWNLOADING = 4;
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);
    private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
    private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

    private final LakeConfig config;
    private final LakeRepository repository;
    private final LakeMetrics metrics;
    private final Blocking blocking;
    private final TrustedAuthorities authorities;
    private final Semaphore statements = new Semaphore(MAX_STATEMENTS, true);
    // Queries that wait for downloads do not delay queries of files in the cache.
    private final Semaphore downloading = new Semaphore(MAX_DOWNLOADING, true);
    private @Nullable LakeResources resources;
    private @Nullable Long failedAt;

    LakeReader(LakeConfig config, LakeRepository repository, LakeMetrics metrics, Blocking blocking,
            TrustedAuthorities authorities) {
        this.config = config;
        this.repository = repository;
        this.metrics = metrics;
        this.blocking = blocking;
        this.authorities = authorities;
    }

    /** Fails the start if the settings are incomplete, as in export-service. */
    void validate(@Observes StartupEvent ignored) {
        if (!isEnabled()) {
            return;
        }
        if (config.accessKeyId().isPresent() != config.secretAccessKey().isPresent()) {
            throw new IllegalStateException("waybill.lake.access-key-id and waybill.lake.secret-access-key require each other");
        }
        if (config.endpointUrl().isPresent() && config.accessKeyId().isEmpty()) {
            throw new IllegalStateException("waybill.lake.endpoint-url requires waybill.lake.access-key-id");
        }
    }

    /** Returns whether a lake is configured. */
    public boolean isEnabled() {
        return config.bucket().isPresent();
    }

    /** Returns the largest size of files to search with one statement; their size in the cache stays below its maximum. */
    public long maxBytesOfStatement() {
        return config.cache().maxBytes().asLongValue() / (MAX_STATEMENTS + MAX_DOWNLOADING);
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

    /**
     * Returns how many of the days, in their order, can be searched at once because text indexes exclude all but at most
     * {@code maxBytes} of their files; 0 if the first day has more, or if its indexes cannot be read in time.
     */
    public Uni<Integer> countWithin(DuckDbCondition condition, List<LakeDay> days, long maxBytes, Duration timeout) {
        if (days.isEmpty() || condition.texts().equals(TextCondition.ANY)) {
            return Uni.createFrom().item(0);
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        return blocking.callOnPlatformThread(() -> search(resources(), condition,
                days.getFirst().files(), deadline, (indexes, left) -> indexes.countWithin(days, maxBytes, left)))
                .onFailure(RuntimeException.class).recoverWithItem(0);
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
        try {
            return find(resources(), query, files, deadline, running);
        } catch (LakeException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("the search of the lake failed, so its days are read from PostgreSQL", e);
            throw new LakeException("the search of the lake failed", e);
        }
    }

    private List<RunPosition> find(LakeResources open, LakeQuery query, List<LakeFile> all, long deadline,
            RunningStatement running) throws InterruptedException {
        Map<LakeFile, List<RowRange>> selected = search(open, query.condition(), all, deadline,
                (indexes, left) -> indexes.select(all, left));
        if (selected.isEmpty()) {
            metrics.searched();
            return List.of();
        }
        List<LakeFile> files = List.copyOf(selected.keySet());
        if (open.cache().contains(files)) {
            try (Permit _ = acquire(statements, deadline); PinnedFiles pinned = open.cache().open(files, until(deadline))) {
                return open.find(query, files, rows(pinned, selected), deadline, running);
            }
        }
        try (Permit _ = acquire(downloading, deadline);
                PinnedFiles pinned = open.cache().open(files, until(deadline));
                Permit _ = acquire(statements, deadline)) {
            return open.find(query, files, rows(pinned, selected), deadline, running);
        }
    }

    private <T> T search(LakeResources open, DuckDbCondition condition, List<LakeFile> files, long deadline,
            IndexFunction<T> function) throws InterruptedException {
        IndexSearch indexes = new IndexSearch(open.cache(), open.selections(), condition.texts());
        // Without an index, the rest of the time is enough for the files.
        long indexDeadline = deadline - until(deadline).toNanos() * 2 / 3;
        if (open.cache().contains(indexes.indexes(files))) {
            return function.apply(indexes, () -> until(indexDeadline));
        }
        try (Permit _ = acquire(downloading, deadline)) {
            return function.apply(indexes, () -> until(indexDeadline));
        }
    }

    private static List<FileRows> rows(PinnedFiles pinned, Map<LakeFile, List<RowRange>> selected) {
        Iterator<Path> paths = pinned.paths().iterator();
        return selected.values().stream().map(ranges -> new FileRows(paths.next(), ranges)).toList();
    }

    private static Permit acquire(Semaphore semaphore, long deadline) throws InterruptedException {
        if (!semaphore.tryAcquire(until(deadline).toNanos(), TimeUnit.NANOSECONDS)) {
            throw new LakeException("too many searches of the lake are running");
        }
        return semaphore::release;
    }

    private static Duration until(long deadline) {
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    private synchronized LakeResources resources() {
        if (resources == null) {
            if (failedAt != null && System.nanoTime() - failedAt < RETRY_INTERVAL.toNanos()) {
                throw new LakeException("the reader of the lake could not be started recently");
            }
            try {
                resources = new LakeResources(config, authorities, metrics);
            } catch (IOException | SQLException | RuntimeException | LinkageError e) {
                failedAt = System.nanoTime();
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

    /** Reads text indexes; the supplier returns the remaining time for downloads. */
    private interface IndexFunction<T> {

        T apply(IndexSearch indexes, Supplier<Duration> left) throws InterruptedException;
    }

    /** A permit of a semaphore, released when it is closed. */
    private interface Permit extends AutoCloseable {

        @Override
        void close();
    }
}
