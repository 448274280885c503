package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.AssistantContract;
import dev.waybill.runtime.storage.CancellationContract;
import dev.waybill.runtime.storage.ChangesRejectedException;
import dev.waybill.runtime.storage.CheckpointContract;
import dev.waybill.runtime.storage.CheckpointHistoryContract;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CronContract;
import dev.waybill.runtime.storage.ItemContract;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ReplicaContract;
import dev.waybill.runtime.storage.RunContract;
import dev.waybill.runtime.storage.RunEventContract;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CheckpointKey;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.NewestCheckpoint;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadContract;
import dev.waybill.runtime.storage.ThreadKey;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

class PostgresStorageTest {

    private static final Owner OWNER = new Owner("workspace");

    private final RuntimeDatabase database = new RuntimeDatabase();

    @Nested
    class Threads extends ThreadContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class Runs extends RunContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class Cancellations extends CancellationContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class Checkpoints extends CheckpointContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class CheckpointHistory extends CheckpointHistoryContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class Assistants extends AssistantContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class Crons extends CronContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class Items extends ItemContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Nested
    class RunEventChunks extends RunEventContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }

        @Test
        void eventsOfEndedRunsExpire() {
            RunFence ended = start(createThread());
            RunFence running = start(createThread());
            append(ended, new EventChunk(0, 1, new byte[] { 1 }));
            append(running, new EventChunk(0, 1, new byte[] { 1 }));
            end(ended, success());
            clock.advance(Duration.ofMinutes(6));

            await(storage.threads().expire(100));

            assertThat(read(ended, -1).chunks()).isEmpty();
            assertThat(read(running, -1).chunks()).hasSize(1);
        }
    }

    @Nested
    class Replicas extends ReplicaContract {

        @Override
        protected Storage open(Clock clock) {
            return database.open(clock);
        }
    }

    @Test
    void closeCompletesTheAcceptedWrites() {
        Storage storage = database.open();
        RunFence fence = start(storage);
        List<CompletableFuture<Void>> writes = IntStream.range(0, 100)
                .mapToObj(i -> storage.checkpoints().put(fence, checkpoint(i)).subscribeAsCompletionStage()).toList();

        storage.close();

        assertThat(writes).allSatisfy(write -> assertThat(write).succeedsWithin(Duration.ofSeconds(60)));
        assertThatThrownBy(() -> await(storage.checkpoints().put(fence, checkpoint(100)))).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> await(storage.threads().find(OWNER, UUID.randomUUID()))).isInstanceOf(StorageException.class);
    }

    @Test
    void unreachableServerFailsOperationsOnly() {
        try (Storage storage = database.openUnreachable()) {
            assertThatThrownBy(() -> await(storage.threads().find(OWNER, UUID.randomUUID())))
                    .isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> await(storage.checkpoints().put(new RunFence(new ThreadKey(OWNER, UUID.randomUUID(),
                    UUID.randomUUID()), UUID.randomUUID(), 1, Instant.EPOCH), checkpoint(1))))
                    .isInstanceOf(StorageException.class);
        }
    }

    @Test
    void resultsContinueOnTheContextOfTheCaller() {
        Vertx vertx = Vertx.vertx();
        try (Storage storage = database.open()) {
            RunFence fence = start(storage);
            Context context = vertx.getOrCreateContext();
            CompletableFuture<List<Boolean>> same = new CompletableFuture<>();

            context.runOnContext(ignored -> storage.threads().find(OWNER, UUID.randomUUID())
                    .map(found -> Vertx.currentContext() == context)
                    .chain(found -> storage.checkpoints().put(fence, checkpoint(1))
                            .map(stored -> List.of(found, Vertx.currentContext() == context)))
                    .subscribe().with(same::complete, same::completeExceptionally));

            assertThat(same.join()).containsExactly(true, true);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void rejectedLastCheckpointsLeaveTheRunRunning() {
        try (Storage storage = database.open()) {
            RunFence fence = start(storage);
            RunFence other = start(storage);
            // The key of an index has at most a third of a page.
            String tooLong = new Random(1).ints(1024, 0x4e00, 0x9000).mapToObj(Character::toString)
                    .collect(Collectors.joining());
            NewCheckpoint rejected = new NewCheckpoint(tooLong, new UUID(1, 0), null, new NewValue("json", new byte[] { 1 }),
                    "{}", Map.of(), List.of());
            RunEnd success = new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false);

            List<CompletableFuture<?>> ends = List.of(
                    storage.runs().end(fence, success.with(List.of(rejected))).subscribeAsCompletionStage(),
                    storage.runs().end(other, success.with(List.of(checkpoint(1)))).subscribeAsCompletionStage());

            assertThat(ends.getFirst()).failsWithin(Duration.ofSeconds(60)).withThrowableThat()
                    .withCauseInstanceOf(ChangesRejectedException.class);
            assertThat(ends.getLast()).succeedsWithin(Duration.ofSeconds(60));
            assertThat(await(storage.runs().end(fence, success))).isEmpty();
        }
    }

    @Test
    void runThatWaitsForItsThreadReadsTheNewestCheckpoint() throws Exception {
        UUID newest = new UUID(2, 0);
        try (Storage storage = database.open();
                Connection other = database.transaction();
                Statement statement = other.createStatement()) {
            RunFence first = start(storage);
            await(storage.checkpoints().put(first, checkpoint(1)));
            await(storage.runs().end(first, new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false)));
            UUID thread = first.thread().thread();
            statement.execute("SELECT 1 FROM runtime.threads WHERE thread_id = '" + thread + "' FOR UPDATE");
            CompletableFuture<Begun> begun = storage.runs().begin(new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN,
                    UUID.randomUUID(), UUID.randomUUID(), MultitaskStrategy.REJECT, "{}", new byte[0], null, null))
                    .subscribeAsCompletionStage();
            database.awaitLock();

            statement.execute("UPDATE runtime.checkpoints SET checkpoint_id = '" + newest + "' WHERE thread_key = '"
                    + first.thread().key() + "'");
            statement.execute("UPDATE runtime.threads SET updated_at = updated_at WHERE thread_id = '" + thread + "'");
            other.commit();

            assertThat(((Begun.Running) begun.get(60, TimeUnit.SECONDS)).thread().newest())
                    .isEqualTo(new NewestCheckpoint(newest, false));
        }
    }

    @Test
    void forkThatWaitsForPruningIsNotStored() throws Exception {
        try (Storage storage = database.open();
                Connection other = database.transaction();
                Statement pruning = other.createStatement()) {
            RunFence first = start(storage);
            await(storage.checkpoints().put(first, checkpoint(1)));
            await(storage.runs().end(first, new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false)));
            UUID thread = first.thread().thread();
            pruning.execute("SELECT 1 FROM runtime.threads WHERE thread_id = '" + thread + "' FOR NO KEY UPDATE");
            pruning.execute("DELETE FROM runtime.checkpoints WHERE thread_key = '" + first.thread().key() + "'");
            CompletableFuture<Begun> begun = storage.runs().begin(new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN,
                    UUID.randomUUID(), UUID.randomUUID(), MultitaskStrategy.REJECT, "{}", new byte[0], null, null)
                    .forkedFrom(new CheckpointKey("", new UUID(1, 0)))).subscribeAsCompletionStage();
            database.awaitLock();

            other.commit();

            assertThat(begun.get(60, TimeUnit.SECONDS)).isEqualTo(new Begun.NoCheckpoint());
        }
    }

    private static RunFence start(Storage storage) {
        UUID thread = UUID.randomUUID();
        return ((Begun.Running) await(storage.runs().begin(new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN,
                UUID.randomUUID(), UUID.randomUUID(), MultitaskStrategy.REJECT, "{}", new byte[0], null,
                new NewThread(thread, "{}", "{}", null))))).fence();
    }

    private static NewCheckpoint checkpoint(int number) {
        return new NewCheckpoint("", new UUID(number, 0), null, new NewValue("json", new byte[] { 1 }), "{}", Map.of(),
                List.of());
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(Duration.ofSeconds(60));
    }
}
