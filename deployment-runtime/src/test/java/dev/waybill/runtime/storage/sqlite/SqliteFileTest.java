package dev.waybill.runtime.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.sqlite.SqliteSession.SqliteChange;
import dev.waybill.runtime.storage.sqlite.SqliteSession.SqliteWork;

class SqliteFileTest {

    private static final int SPARE_PAGES = 20;
    private static final int LARGE = 1_000_000;

    @TempDir
    Path directory;

    private SqliteFile file;

    @BeforeEach
    void open() {
        file = SqliteFile.open(directory);
    }

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void fullDiskFailsOnlyTheWritesOfAGroupThatNeedSpace() {
        write(session -> session.number("PRAGMA max_page_count = " + (session.number("PRAGMA page_count") + SPARE_PAGES)))
                .join();

        List<CompletableFuture<?>> group = group(insert("before", 10), insert("large", LARGE), insert("after", 10));

        assertThat(group.get(1)).isCompletedExceptionally();
        assertThat(group.get(1).exceptionNow()).isInstanceOf(StorageException.class).hasMessageContaining("is full");
        assertThat(items()).containsExactly("after", "before");
    }

    @Test
    void failedWriteOfAGroupHasNoEffect() {
        List<CompletableFuture<?>> group = group(insert("before", 10), session -> {
            insert("failed", 10).execute(session);
            throw new IllegalStateException("after its first statement");
        }, insert("before", 10), insert("after", 10));

        assertThat(group.get(1).exceptionNow()).isInstanceOf(IllegalStateException.class);
        assertThat(group.get(2).exceptionNow()).isInstanceOf(StorageException.class);
        assertThat(items()).containsExactly("after", "before");
    }

    @Test
    void tooManyQueuedBytesAreRejected() {
        CountDownLatch blocked = new CountDownLatch(1);
        CompletableFuture<?> first = write(session -> await(blocked));

        CompletableFuture<?> accepted = file.write(60 << 20, session -> true).subscribeAsCompletionStage();
        CompletableFuture<?> rejected = file.write(5 << 20, session -> true).subscribeAsCompletionStage();

        assertThat(rejected).failsWithin(Duration.ofMinutes(1)).withThrowableThat()
                .havingCause().isInstanceOf(StorageException.class);
        blocked.countDown();
        CompletableFuture.allOf(first, accepted).join();
        file.write(5 << 20, session -> true).subscribeAsCompletionStage().join();
    }

    @Test
    void statementsRunOnTheThreadsOfTheFile() {
        assertThat(write(session -> Thread.currentThread().getName()).join()).isEqualTo("waybill-storage-write");
        assertThat(file.read(session -> Thread.currentThread().getName()).subscribeAsCompletionStage().join())
                .startsWith("waybill-storage-read");
    }

    private List<CompletableFuture<?>> group(SqliteChange... changes) {
        // The thread is busy while the writes are queued, so they are one group.
        CountDownLatch queued = new CountDownLatch(1);
        write(session -> await(queued));
        List<CompletableFuture<?>> group = new ArrayList<>();
        for (SqliteChange change : changes) {
            group.add(file.change(0, change).subscribeAsCompletionStage());
        }
        queued.countDown();
        group.forEach(write -> write.handle((result, failure) -> true).join());
        return group;
    }

    private <T> CompletableFuture<T> write(SqliteWork<T> work) {
        return file.write(0, work).subscribeAsCompletionStage();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> items() {
        return file.read(session -> session.list("SELECT key FROM items ORDER BY key", row -> row.text("key")))
                .subscribeAsCompletionStage().join();
    }

    private static SqliteChange insert(String key, int size) {
        return session -> session.update("""
                INSERT INTO items (owner, namespace, key, created_at, updated_at, value) VALUES ('o', '', ?, 1, 1, ?)
                """, key, "x".repeat(size));
    }
}
