package dev.waybill.runtime.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.storage.AssistantContract;
import dev.waybill.runtime.storage.CancellationContract;
import dev.waybill.runtime.storage.CheckpointContract;
import dev.waybill.runtime.storage.CheckpointHistoryContract;
import dev.waybill.runtime.storage.CronContract;
import dev.waybill.runtime.storage.ItemContract;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ReplicaContract;
import dev.waybill.runtime.storage.RunContract;
import dev.waybill.runtime.storage.RunEventContract;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadContract;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

class SqliteStorageTest {

    private static final Owner OWNER = new Owner("workspace");

    @TempDir
    Path directory;

    @Nested
    class Threads extends ThreadContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Runs extends RunContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Cancellations extends CancellationContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Checkpoints extends CheckpointContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class CheckpointHistory extends CheckpointHistoryContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Assistants extends AssistantContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Crons extends CronContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Items extends ItemContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class RunEventChunks extends RunEventContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Nested
    class Replicas extends ReplicaContract {

        @Override
        protected Storage open(Clock clock) {
            return SqliteStorage.open(directory, clock);
        }
    }

    @Test
    void reopenedFileHasTheThreads() {
        NewThread thread = thread();
        try (Storage storage = open(directory)) {
            storage.threads().create(OWNER, thread).await().indefinitely();
        }

        try (Storage storage = open(directory)) {
            assertThat(storage.threads().find(OWNER, thread.id()).await().indefinitely()).isPresent();
        }
    }

    @Test
    void secondStorageOfADirectoryIsRejected() throws Exception {
        Path linked = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("data")));
        try (Storage storage = open(directory.resolve("data"))) {
            assertThatThrownBy(() -> open(linked)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("waybill.runtime.threads.directory");
            storage.threads().create(OWNER, thread()).await().indefinitely();
        }
        open(linked).close();
    }

    @Test
    void closedStorageFailsWithAnAdvice() {
        Storage storage = open(directory);
        storage.close();

        assertThatThrownBy(() -> storage.threads().create(OWNER, thread()).await().indefinitely())
                .isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> storage.threads().find(OWNER, UUID.randomUUID()).await().indefinitely())
                .isInstanceOf(StorageException.class);
    }

    @Test
    void damagedFileIsReported() throws Exception {
        Files.write(directory.resolve("threads.db"), new byte[10_000]);

        assertThatThrownBy(() -> open(directory)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is damaged");
    }

    @Test
    void sweepReturnsSpaceToTheFileSystem() throws Exception {
        NewThread large = new NewThread(UUID.randomUUID(), "{}", "{\"text\":\"" + "x".repeat(8_000_000) + "\"}", null);
        try (Storage storage = open(directory)) {
            storage.threads().create(OWNER, large).await().indefinitely();
            storage.threads().delete(OWNER, large.id()).await().indefinitely();
            storage.threads().expire(1000).await().indefinitely();
        }

        assertThat(Files.size(directory.resolve("threads.db"))).isLessThan(1_000_000);
    }

    @Test
    void createdDirectoryIsPrivate() throws Exception {
        Path created = directory.resolve("a").resolve("b");

        open(created).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created))).isEqualTo("rwx------");
    }

    @Test
    void resultsContinueOnTheContextOfTheCaller() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (Storage storage = open(directory)) {
            Context context = vertx.getOrCreateContext();
            CompletableFuture<Boolean> same = new CompletableFuture<>();

            context.runOnContext(ignored -> storage.threads().create(OWNER, thread())
                    .chain(created -> storage.threads().find(OWNER, UUID.randomUUID()))
                    .subscribe().with(found -> same.complete(Vertx.currentContext() == context), same::completeExceptionally));

            assertThat(same.join()).isTrue();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static Storage open(Path directory) {
        return SqliteStorage.open(directory, Clock.systemUTC());
    }

    private static NewThread thread() {
        return new NewThread(UUID.randomUUID(), "{}", "{}", null);
    }
}
