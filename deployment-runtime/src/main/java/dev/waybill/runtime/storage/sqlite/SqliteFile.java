package dev.waybill.runtime.storage.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.sqlite.SQLiteDataSource;

import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.sqlite.SqliteSession.SqliteChange;
import dev.waybill.runtime.storage.sqlite.SqliteSession.SqliteWork;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** The open file, its lock and its two threads. Results continue on the caller's context. */
final class SqliteFile implements AutoCloseable {

    private static final String NAME = "threads.db";
    private static final int MAX_QUEUED_READS = 10_000;
    private static final long CLOSE_SECONDS = 30;

    private final StorageLock lock;
    private final WriteQueue writes;
    private final SqliteSession reader;
    private final ExecutorService reads;

    private SqliteFile(StorageLock lock, SqliteSession writer, SqliteSession reader) {
        this.lock = lock;
        this.writes = new WriteQueue(writer);
        this.reader = reader;
        this.reads = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_QUEUED_READS),
                Thread.ofPlatform().daemon().name("waybill-storage-read").factory());
    }

    /** Opens or creates the file of a directory. Blocks. */
    static SqliteFile open(Path directory) {
        try {
            create(directory);
            StorageLock lock = StorageLock.acquire(directory);
            try {
                return open(lock, directory);
            } catch (SQLException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new IllegalStateException("The directory %s for threads cannot be used: %s. Create it, or set ".formatted(
                    directory, e) + "waybill.runtime.threads.directory to a directory that the runtime can write.", e);
        } catch (SQLException e) {
            throw new IllegalStateException(SqliteErrors.translate(e).getMessage(), e);
        }
    }

    private static void create(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            // Threads contain what users have written.
            Files.createDirectories(directory,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    private static SqliteFile open(StorageLock lock, Path directory) throws SQLException {
        if (System.getProperty("org.sqlite.tmpdir") == null) {
            // The directory for temporary files may be read-only in a container; the library is extracted and loaded from here.
            System.setProperty("org.sqlite.tmpdir", directory.toAbsolutePath().toString());
        }
        Connection writer = connect(directory, true);
        try {
            SqliteSchema.migrate(writer);
            writer.setAutoCommit(false);
            Connection reader = connect(directory, false);
            reader.setAutoCommit(false);
            return new SqliteFile(lock, new SqliteSession(writer), new SqliteSession(reader));
        } catch (SQLException | RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    private static Connection connect(Path directory, boolean writer) throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve(NAME).toAbsolutePath());
        Connection connection = source.getConnection();
        try {
            SqliteSchema.configure(connection, writer);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Executes work in the next transaction and completes after its commit.
     *
     * @param bytes size of the values that the work holds in memory
     */
    <T> Uni<T> write(long bytes, SqliteWork<T> work) {
        return onCallersContext(Uni.createFrom().emitter(emitter -> writes.add(work, bytes, emitter)));
    }

    /** Like {@link #write}, without a result. */
    Uni<Void> change(long bytes, SqliteChange change) {
        return write(bytes, session -> {
            change.execute(session);
            return true;
        }).replaceWithVoid();
    }

    /** Executes work that changes nothing on one snapshot of the file. */
    <T> Uni<T> read(SqliteWork<T> work) {
        return onCallersContext(Uni.createFrom().emitter(emitter -> {
            try {
                reads.execute(() -> read(work, emitter));
            } catch (RejectedExecutionException e) {
                emitter.fail(new StorageException("The storage of threads is closed or has " + MAX_QUEUED_READS
                        + " waiting requests; retry later.", e));
            }
        }));
    }

    private <T> void read(SqliteWork<T> work, UniEmitter<? super T> emitter) {
        try {
            T result;
            try {
                result = work.execute(reader);
            } finally {
                // The next read sees a newer snapshot.
                reader.rollback();
            }
            emitter.complete(result);
        } catch (SQLException | RuntimeException | Error e) {
            emitter.fail(SqliteErrors.translate(e));
        }
    }

    private static <T> Uni<T> onCallersContext(Uni<T> result) {
        return Uni.createFrom().deferred(() -> {
            Context context = Vertx.currentContext();
            Executor executor = context == null ? Infrastructure.getDefaultExecutor()
                    : task -> context.runOnContext(ignored -> task.run());
            return result.emitOn(executor);
        });
    }

    @Override
    public void close() {
        try {
            reads.shutdown();
            if (reads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                reader.close();
            }
            writes.close();
            lock.close();
        } catch (SQLException | IOException e) {
            throw new StorageException("The file of threads cannot be closed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
