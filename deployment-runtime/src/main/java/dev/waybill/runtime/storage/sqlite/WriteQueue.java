package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.limit.MemoryBudget;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.sqlite.SqliteSession.SqliteWork;
import dev.waybill.runtime.storage.sqlite.SqliteSession.TransactionEndedException;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * The writing thread: executes all queued writes in one transaction and completes them after its commit. A write that fails
 * has no effect on the others of its group.
 */
final class WriteQueue {

    private static final int MAX_GROUP = 256;
    private static final long MAX_QUEUED_BYTES = 64L << 20;
    /** Memory of a queued write without its values. */
    private static final int OVERHEAD_BYTES = 1024;

    private final SqliteSession session;
    private final LinkedBlockingQueue<Write<?>> queue = new LinkedBlockingQueue<>();
    private final MemoryBudget budget = new MemoryBudget(MAX_QUEUED_BYTES);
    private final Thread thread;
    private volatile boolean closed;

    WriteQueue(SqliteSession session) {
        this.session = session;
        this.thread = Thread.ofPlatform().daemon().name("waybill-storage-write").start(this::run);
    }

    /**
     * Adds a write.
     *
     * @param bytes size of the values that the write holds in memory
     */
    synchronized <T> void add(SqliteWork<T> work, long bytes, UniEmitter<? super T> result) {
        long reserved = bytes + OVERHEAD_BYTES;
        if (closed || !budget.tryReserve(reserved)) {
            result.fail(new StorageException(closed ? "The storage of threads is closed."
                    : "More than 64 MiB wait to be written to the file of threads; retry later.", null));
            return;
        }
        queue.add(new Write<>(work, reserved, result));
    }

    /** Executes the queued writes and closes the connection. */
    void close() throws InterruptedException {
        end();
        thread.join();
    }

    private synchronized void end() {
        if (!closed) {
            closed = true;
            queue.add(new Write<>(ignored -> true, 0, null));
        }
    }

    private void run() {
        try (session) {
            while (!closed || !queue.isEmpty()) {
                List<Write<?>> group = new ArrayList<>();
                group.add(queue.take());
                queue.drainTo(group, MAX_GROUP - 1);
                execute(group);
            }
        } catch (InterruptedException | SQLException e) {
            closed = true;
            queue.forEach(write -> write.fail(e));
        }
    }

    private void execute(List<Write<?>> group) {
        try {
            for (Write<?> write : group) {
                write.execute(session);
            }
            session.commit();
        } catch (SQLException | RuntimeException | Error e) {
            discard(e);
            if (group.size() == 1) {
                group.getFirst().fail(e);
            } else {
                for (Write<?> write : group) {
                    execute(List.of(write));
                }
            }
            return;
        }
        group.forEach(Write::complete);
    }

    private void discard(Throwable cause) {
        try {
            session.rollback();
        } catch (SQLException e) {
            // SQLite has rolled back the transaction itself, for example because the disk is full.
            cause.addSuppressed(e);
        }
    }

    /** A queued write and its result. */
    private final class Write<T> {

        private final SqliteWork<T> work;
        private final long reserved;
        private final @Nullable UniEmitter<? super T> emitter;
        private @Nullable T result;
        private @Nullable Throwable failure;

        Write(SqliteWork<T> work, long reserved, @Nullable UniEmitter<? super T> emitter) {
            this.work = work;
            this.reserved = reserved;
            this.emitter = emitter;
        }

        void execute(SqliteSession session) throws SQLException {
            failure = null;
            try {
                result = session.isolated(work);
            } catch (TransactionEndedException e) {
                throw e;
            } catch (SQLException | RuntimeException e) {
                failure = e;
            }
        }

        void complete() {
            if (failure != null) {
                fail(failure);
            } else {
                budget.release(reserved);
                if (emitter != null) {
                    emitter.complete(result);
                }
            }
        }

        void fail(Throwable cause) {
            budget.release(reserved);
            if (emitter != null) {
                emitter.fail(SqliteErrors.translate(cause));
            }
        }
    }
}
