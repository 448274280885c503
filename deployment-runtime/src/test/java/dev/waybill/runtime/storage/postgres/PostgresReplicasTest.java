package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.storage.CheckpointStorage.CheckpointFilter;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunFilter;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Two replicas of a deployment, each with its own connections, and the time of the database. */
class PostgresReplicasTest {

    private static final Owner OWNER = new Owner("workspace");
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final RunEnd SUCCESS = new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false);
    private static final int WRITES = 20;

    private final UUID firstReplica = UUID.randomUUID();
    private final UUID secondReplica = UUID.randomUUID();
    private final RuntimeDatabase database = new RuntimeDatabase();
    private final Storage first = database.open();
    private final Storage second = database.open();
    private final ExecutorService writer = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        writer.close();
        first.close();
        second.close();
    }

    @Test
    void claimedRunStoresNoLaterWrite() {
        await(first.runs().renew(replica(firstReplica)));
        RunFence lost = start(first, UUID.randomUUID());
        assertThat(await(second.runs().claimLost(replica(secondReplica), 10))).isEmpty();
        Set<UUID> acknowledged = new ConcurrentSkipListSet<>();
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> putUntilLost(lost, acknowledged), writer);
        Patience.await().until(() -> acknowledged.size() >= WRITES);

        await(second.runs().leave(firstReplica));
        StartedRun claimed = await(second.runs().claimLost(replica(secondReplica), 10)).getFirst();
        Set<UUID> stored = stored(second, lost);
        written.join();

        assertThat(claimed.fence()).isEqualTo(new RunFence(lost.thread(), lost.run(), 2, lost.createdAt()));
        assertThat(claimed.hasCheckpoint()).isTrue();
        assertThat(stored(second, lost)).isEqualTo(stored).isEqualTo(acknowledged);
        assertLost(first.checkpoints().putWrites(lost, new NewWrites("", UUID.randomUUID(), "task", "", List.of())));
        assertLost(first.checkpoints().deleteOfThread(lost));
        assertLost(first.runs().appendEvents(lost, List.of(new EventChunk(1, 1, new byte[1]))));
        assertLost(first.runs().release(lost));
        assertLost(first.runs().end(lost, SUCCESS));
        await(second.checkpoints().put(claimed.fence(), checkpoint(WRITES)));
        assertThat(await(second.runs().end(claimed.fence(), SUCCESS))).isEmpty();
    }

    @Test
    void brokenConnectionsLoseNothingThatWasAcknowledged() {
        RunFence fence = start(first, UUID.randomUUID());
        Set<UUID> acknowledged = new ConcurrentSkipListSet<>();
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> IntStream.range(0, 10 * WRITES)
                .forEach(i -> putUntilStored(fence, checkpoint(i), acknowledged)), writer);

        for (int expected = WRITES; expected < 10 * WRITES; expected += 2 * WRITES) {
            int reached = expected;
            Patience.await().until(() -> acknowledged.size() >= reached);
            database.endConnections();
        }
        written.join();

        assertThat(stored(second, fence)).hasSize(10 * WRITES).isEqualTo(acknowledged);
    }

    @Test
    void concurrentStartsOfTwoReplicasRunOneRun() {
        UUID thread = create(first);
        List<Uni<Begun>> begins = IntStream.range(0, 2 * WRITES).mapToObj(i -> i % 2 == 0
                ? first.runs().begin(newRun(thread, firstReplica))
                : second.runs().begin(newRun(thread, secondReplica))).toList();

        List<Begun> begun = await(Uni.join().all(begins).andFailFast());

        assertThat(begun).filteredOn(Begun.Running.class::isInstance).hasSize(1);
        assertThat(begun).filteredOn(Begun.Queued.class::isInstance).hasSize(2 * WRITES - 1);
    }

    @Test
    void everyQueuedRunRunsOnceOnItsReplica() {
        UUID thread = create(first);
        await(first.runs().renew(replica(firstReplica)));
        await(second.runs().renew(replica(secondReplica)));
        RunFence running = start(first, thread);
        for (int i = 0; i < WRITES; i++) {
            await(second.runs().begin(newRun(thread, i % 2 == 0 ? firstReplica : secondReplica)));
        }

        assertThat(await(first.runs().end(running, SUCCESS)).orElseThrow().run().replica()).isEqualTo(firstReplica);
        int ended = 0;
        while (ended < WRITES) {
            for (Replica replica : List.of(replica(firstReplica), replica(secondReplica))) {
                Storage storage = replica.id().equals(firstReplica) ? first : second;
                for (StoredRun run : running(thread, replica.id())) {
                    await(storage.runs().end(RunFence.of(run), SUCCESS));
                    ended++;
                }
                await(storage.runs().renew(replica));
            }
        }

        assertThat(await(first.runs().list(OWNER, thread, new RunFilter(Status.SUCCESS,
                100, 0)))).hasSize(WRITES + 1).allSatisfy(run -> assertThat(run.attempt()).isOne());
    }

    @Test
    void rejectedWriteDoesNotFailItsGroup() {
        RunFence fence = start(first, UUID.randomUUID());
        NewCheckpoint checkpoint = checkpoint(1);
        await(first.checkpoints().put(fence, checkpoint));
        List<Uni<String>> writes = List.of("a", "zero \0 character", "b").stream()
                .map(task -> first.checkpoints().putWrites(fence, new NewWrites("", checkpoint.id(), task, "",
                        List.of(new NewWrite(0, "channel", value(task)))))
                        .replaceWith("stored").onFailure(StorageException.class).recoverWithItem("rejected"))
                .toList();

        assertThat(await(Uni.join().all(writes).andFailFast())).containsExactly("stored", "rejected", "stored");

        assertThat(await(second.checkpoints().get(fence.thread(), "", null)).orElseThrow().writes()).hasSize(2);
    }

    @Test
    void anotherDeploymentSeesNothing() {
        RunFence fence = start(first, UUID.randomUUID());
        await(first.checkpoints().put(fence, checkpoint(1)));
        try (Storage other = new RuntimeDatabase().open()) {
            assertThat(await(other.threads().find(OWNER, fence.thread().thread()))).isEmpty();
            assertThat(await(other.checkpoints().get(fence.thread(), "", null))).isEmpty();
            assertThat(await(other.runs().claimLost(replica(secondReplica), 10))).isEmpty();
            assertLost(other.checkpoints().put(fence, checkpoint(2)));
            await(other.threads().create(OWNER, new NewThread(fence.thread().thread(), "{}", "{}", null)));
        }
        await(first.runs().end(fence, SUCCESS));
    }

    private void putUntilLost(RunFence fence, Set<UUID> acknowledged) {
        try {
            for (int i = 0;; i++) {
                List<NewCheckpoint> several = List.of(checkpoint(3 * i), checkpoint(3 * i + 1), checkpoint(3 * i + 2));
                await(Uni.join().all(several.stream().map(next -> first.checkpoints().put(fence, next)
                        .invoke(() -> acknowledged.add(next.id()))).toList()).andFailFast());
            }
        } catch (FenceLostException e) {
            assertThat(e.fence()).isEqualTo(fence);
        }
    }

    private void putUntilStored(RunFence fence, NewCheckpoint checkpoint, Set<UUID> acknowledged) {
        await(first.checkpoints().put(fence, checkpoint).onFailure(StorageException.class).retry()
                .withBackOff(Duration.ofMillis(10)).atMost(100));
        acknowledged.add(checkpoint.id());
    }

    @Test
    void followedRunIsReportedToItsReplica() {
        UUID thread = create(first);
        RunFence run = start(first, thread);

        await(second.runs().follow(new Owner("other"), thread, run.run(), LEASE));
        assertThat(await(first.runs().renew(replica(firstReplica))).followed()).isEmpty();
        await(second.runs().follow(OWNER, thread, run.run(), LEASE));

        assertThat(await(second.runs().renew(replica(secondReplica))).followed()).isEmpty();
        assertThat(await(first.runs().renew(replica(firstReplica))).followed()).containsExactly(run.run());
        await(second.runs().follow(OWNER, thread, run.run(), Duration.ZERO));
        assertThat(await(first.runs().renew(replica(firstReplica))).followed()).isEmpty();
    }

    private List<StoredRun> running(UUID thread, UUID replica) {
        return await(first.runs().list(OWNER, thread, new RunFilter(Status.RUNNING, 100,
                0))).stream().filter(run -> run.replica().equals(replica)).toList();
    }

    private static Set<UUID> stored(Storage storage, RunFence fence) {
        return new ConcurrentSkipListSet<>(await(storage.checkpoints().list(fence.thread(),
                new CheckpointFilter(null, null, null, null, 100_000))).checkpoints().stream().map(StoredCheckpoint::id)
                .toList());
    }

    private static UUID create(Storage storage) {
        UUID thread = UUID.randomUUID();
        await(storage.threads().create(OWNER, new NewThread(thread, "{}", "{}", null)));
        return thread;
    }

    private RunFence start(Storage storage, UUID thread) {
        return ((Begun.Running) await(storage.runs().begin(newRun(thread, firstReplica)))).fence();
    }

    private static NewRun newRun(UUID thread, UUID replica) {
        return new NewRun(OWNER, thread, UUID.randomUUID(), Kind.RUN, replica, UUID.randomUUID(), MultitaskStrategy.ENQUEUE,
                "{}",
                new byte[0], null, new NewThread(thread, "{}", "{}", null));
    }

    private static NewCheckpoint checkpoint(int number) {
        String version = Integer.toString(number);
        return new NewCheckpoint("", new UUID(number, 0), null, value("body"), "{}", Map.of("channel", version),
                List.of(new NewBlob("channel", version, value(version))));
    }

    private static NewValue value(String text) {
        return new NewValue("json", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Replica replica(UUID id) {
        return new Replica(id, LEASE, List.of(), List.of());
    }

    private static void assertLost(Uni<?> write) {
        assertThatThrownBy(() -> await(write)).isInstanceOf(FenceLostException.class);
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(Duration.ofSeconds(60));
    }
}
