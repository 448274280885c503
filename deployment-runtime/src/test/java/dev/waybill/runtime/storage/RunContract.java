package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Deletion;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/**
 * Contract of {@link RunStorage}: begin and end. {@link CancellationContract} has cancellations, {@link ReplicaContract}
 * leases.
 */
public abstract class RunContract extends StorageContract {

    @Test
    void firstRunOfAThreadRuns() {
        StoredThread thread = createThread();
        NewRun run = newRun(thread, MultitaskStrategy.REJECT);

        Begun begun = begin(run);

        assertThat(begun).usingRecursiveComparison().ignoringFields("thread.newest").isEqualTo(
                new Begun.Running(new RunFence(thread.key(), run.id(), 1, find(thread, run.id()).createdAt()),
                        new ThreadHead("{}", "{}", Map.of())));
        StoredRun stored = find(thread, run.id());
        assertThat(stored.status()).isEqualTo(Status.RUNNING);
        assertThat(stored.request()).isEqualTo(run.request());
        assertThat(stored.metadata()).isEqualTo(run.metadata());
        assertThat(stored.assistant()).isEqualTo(ASSISTANT);
        assertThat(stored.replica()).isEqualTo(REPLICA);
        assertThat(stored.startedAt()).isEqualTo(stored.createdAt());
    }

    @Test
    void listedRunsHaveNoRequests() {
        StoredThread thread = createThread();
        NewRun run = newRun(thread, MultitaskStrategy.REJECT);
        begin(run);

        StoredRun listed = list(thread).getFirst();

        assertThat(listed.request()).isEmpty();
        assertThat(listed).usingRecursiveComparison().ignoringFields("request").isEqualTo(find(thread, run.id()));
    }

    @Test
    void repeatedStartReturnsTheStoredRun() {
        StoredThread thread = createThread();
        NewRun running = newRun(thread, MultitaskStrategy.REJECT);
        NewRun queued = newRun(thread, MultitaskStrategy.ENQUEUE);

        Begun begun = begin(running);

        assertThat(begin(queued)).isEqualTo(new Begun.Queued(List.of()));
        assertThat(begin(running)).isEqualTo(begun);
        assertThat(begin(queued)).isEqualTo(new Begun.Queued(List.of()));
        assertThat(list(thread)).extracting(StoredRun::status).containsExactly(Status.PENDING, Status.RUNNING);
    }

    @Test
    void runWithTheIdOfAnotherRequestIsNotStored() {
        StoredThread thread = createThread();
        NewRun first = newRun(thread, MultitaskStrategy.ENQUEUE);
        NewRun ofOther = newRun(thread, first.id(), OTHER_REPLICA, MultitaskStrategy.INTERRUPT, null);
        RunFence running = ((Begun.Running) begin(first)).fence();

        assertThat(begin(ofOther)).as("while the first is running").isEqualTo(new Begun.Existing());
        end(running, success());

        assertThat(begin(ofOther)).as("after its end").isEqualTo(new Begun.Existing());
        assertThat(begin(first)).isEqualTo(new Begun.Existing());
        assertThat(list(thread)).extracting(StoredRun::status).containsExactly(Status.SUCCESS);
    }

    @Test
    void runOfAMissingThreadIsNotStored() {
        StoredThread thread = createThread();
        NewRun foreign = new NewRun(OTHER, thread.key().thread(), UUID.randomUUID(), Kind.RUN, REPLICA, ASSISTANT,
                MultitaskStrategy.ENQUEUE, "{}", new byte[0], null, null);

        assertThat(begin(foreign)).isEqualTo(new Begun.NoThread());
        assertThat(list(thread)).isEmpty();
    }

    @Test
    void runCreatesItsThreadIfThatIsAllowed() {
        UUID id = UUID.randomUUID();

        Begun begun = begin(new NewRun(OWNER, id, UUID.randomUUID(), Kind.RUN, REPLICA, ASSISTANT,
                MultitaskStrategy.ENQUEUE, "{}", new byte[0], null, new NewThread(id, "{\"a\":1}", "{}", null)));

        assertThat(begun).isInstanceOf(Begun.Running.class);
        assertThat(await(storage.threads().find(OWNER, id)).orElseThrow().metadata()).isEqualTo("{\"a\":1}");
    }

    @Test
    void oneOfManyConcurrentRunsRuns() {
        StoredThread thread = createThread();
        List<Uni<Begun>> begins = IntStream.range(0, 50)
                .mapToObj(i -> storage.runs().begin(newRun(thread, MultitaskStrategy.ENQUEUE))).toList();

        List<Begun> begun = await(Uni.join().all(begins).andFailFast());

        assertThat(begun).filteredOn(Begun.Running.class::isInstance).hasSize(1);
        assertThat(begun).filteredOn(Begun.Queued.class::isInstance).hasSize(49);
        assertThat(list(thread)).filteredOn(run -> run.status() == Status.RUNNING).hasSize(1);
    }

    @Test
    void rejectedRunIsNotStored() {
        StoredThread thread = createThread();
        RunFence running = start(thread);

        assertThat(begin(newRun(thread, MultitaskStrategy.REJECT))).isEqualTo(new Begun.Busy());

        assertThat(list(thread)).extracting(StoredRun::id).containsExactly(running.run());
    }

    @Test
    void queuedRunsStartInTheirOrder() {
        StoredThread thread = createThread();
        RunFence first = start(thread);
        NewRun second = newRun(thread, MultitaskStrategy.ENQUEUE);
        NewRun third = newRun(thread, MultitaskStrategy.ENQUEUE);
        begin(second);
        begin(third);

        StartedRun next = end(first, success()).getFirst();
        StartedRun last = end(next.fence(), success()).getFirst();

        assertThat(next.run().id()).isEqualTo(second.id());
        assertThat(next.run().request()).isEqualTo(second.request());
        assertThat(next.fence()).isEqualTo(RunFence.of(next.run()));
        assertThat(last.run().id()).isEqualTo(third.id());
        assertThat(end(last.fence(), success())).isEmpty();
        assertThat(list(thread)).extracting(StoredRun::id).containsExactly(third.id(), second.id(), first.run());
    }

    @Test
    void pendingAndRunningRunsAreActive() {
        StoredThread thread = createThread();
        RunFence ended = start(thread);
        end(ended, success());
        RunFence running = start(thread);
        NewRun pending = newRun(thread, MultitaskStrategy.ENQUEUE);
        begin(pending);

        assertThat(await(storage.runs().findActive(Set.of(ended.run(), running.run(), pending.id(), UUID.randomUUID()))))
                .containsExactlyInAnyOrder(running.run(), pending.id());
        assertThat(await(storage.runs().findActive(List.of()))).isEmpty();
    }

    @Test
    void queueIsLimited() {
        StoredThread thread = createThread();
        start(thread);
        for (int i = 0; i < RunStorage.MAX_PENDING; i++) {
            assertThat(begin(newRun(thread, MultitaskStrategy.ENQUEUE))).isInstanceOf(Begun.Queued.class);
        }

        assertThat(begin(newRun(thread, MultitaskStrategy.ENQUEUE))).isEqualTo(new Begun.Full());
        assertThat(begin(newRun(thread, MultitaskStrategy.INTERRUPT))).isInstanceOf(Begun.Queued.class);
    }

    @Test
    void delayedRunWaitsAndBlocksNothing() {
        StoredThread thread = createThread();
        Instant later = clock.instant().plusSeconds(60);
        NewRun delayed = newRun(thread, UUID.randomUUID(), REPLICA, MultitaskStrategy.REJECT, later);

        assertThat(begin(delayed)).isInstanceOf(Begun.Queued.class);
        RunFence other = start(thread);
        assertThat(end(other, success())).isEmpty();
        assertThat(await(storage.runs().renew(replica(REPLICA))).started()).isEmpty();
        clock.advance(Duration.ofSeconds(61));

        assertThat(await(storage.runs().renew(replica(REPLICA))).started()).extracting(run -> run.run().id())
                .containsExactly(delayed.id());
    }

    @Test
    void endStoresStatusValuesAndInterrupts() {
        StoredThread thread = createThread();
        await(storage.runs().end(start(thread), success(
                Map.of("a", new ChannelValue("1", "1"), "b", new ChannelValue("1", "[]")), Set.of("a", "b"))));
        UUID checkpoint = UUID.randomUUID();
        RunFence fence = start(thread);

        await(storage.runs().end(fence, new RunEnd(Status.SUCCESS, null, ThreadStatus.INTERRUPTED,
                new State(Map.of("a", new ChannelValue("2", "2")), Set.of("a"), "{\"t\":[]}", checkpoint), false)));

        StoredThread stored = find(thread);
        assertThat(stored.status()).isEqualTo(ThreadStatus.INTERRUPTED);
        assertThat(stored.values()).isEqualTo(Map.of("a", new ChannelValue("2", "2")));
        assertThat(stored.interrupts()).isEqualTo("{\"t\":[]}");
        assertThat(stored.checkpoint()).isEqualTo(checkpoint);
        assertThat(stored.stateUpdatedAt()).isEqualTo(clock.instant());
        assertThat(await(storage.threads().stateUpdatedAt(OWNER, thread.key().thread()))).contains(clock.instant());
        assertThat(find(thread, fence.run()).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void answerStartsOnlyWhileItsInterruptsAreUnchanged() {
        StoredThread thread = createThread();
        end(start(thread), new RunEnd(Status.SUCCESS, null, ThreadStatus.INTERRUPTED,
                new State(Map.of(), Set.of(), "{\"t\":[1]}", null), false));

        assertThat(begin(newRun(thread, MultitaskStrategy.REJECT).answering("{\"t\":[2]}"))).isEqualTo(new Begun.Answered());
        Begun answer = begin(newRun(thread, MultitaskStrategy.REJECT).answering("{\"t\":[1]}"));
        assertThat(begin(newRun(thread, MultitaskStrategy.REJECT).answering("{\"t\":[1]}"))).isEqualTo(new Begun.Busy());
        end(((Begun.Running) answer).fence(), success());

        assertThat(begin(newRun(thread, MultitaskStrategy.REJECT).answering("{\"t\":[1]}"))).isEqualTo(new Begun.Answered());
        assertThat(list(thread)).hasSize(2);
    }

    @Test
    void endStoresTheLastCheckpointsOfItsRun() {
        StoredThread thread = createThread();
        NewValue value = new NewValue("json", new byte[] { '1' });
        NewCheckpoint checkpoint = new NewCheckpoint("", UUID.randomUUID(), null, value, "{}", Map.of("a", "1"),
                List.of(new NewBlob("a", "1", value)));
        NewWrites writes = new NewWrites("", checkpoint.id(), "task", "", List.of(new NewWrite(0, "a", value)));
        RunFence lost = start(thread);
        end(lost, success());
        RunFence held = start(createThread());

        assertLost(storage.runs().end(lost, success().with(List.of(checkpoint))));
        end(held, success().with(List.of(checkpoint, writes)));

        StoredCheckpoint stored = await(storage.checkpoints().get(held.thread(), "", null)).orElseThrow();
        assertThat(stored.run()).isEqualTo(held.run());
        assertThat(stored.blobs()).hasSize(1);
        assertThat(stored.writes()).hasSize(1);
        assertThat(await(storage.checkpoints().get(thread.key(), "", null))).isEmpty();
    }

    @Test
    void rolledBackRunLeavesTheThreadAsItWas() {
        StoredThread thread = createThread();
        await(storage.runs().end(start(thread), success(Map.of("a", new ChannelValue("1", "1")), Set.of("a"))));
        StoredThread before = find(thread);
        RunFence fence = start(thread);

        await(storage.runs().end(fence, RunEnd.rolledBack()));

        assertThat(find(thread)).isEqualTo(before);
        assertThat(await(storage.runs().find(OWNER, thread.key().thread(), fence.run()))).isEmpty();
    }

    @Test
    void endedRunHasLostItsFence() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        end(fence, success());

        assertLost(storage.runs().end(fence, success()));
        assertLost(storage.runs().release(fence));
    }

    @Test
    void runOfADeletedThreadHasLostItsFence() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);

        await(storage.threads().delete(OWNER, thread.key().thread()));
        create(OWNER, thread.key().thread(), "{}");

        assertLost(storage.runs().end(fence, success()));
    }

    @Test
    void lostFenceDoesNotFailOtherWrites() {
        StoredThread thread = createThread();
        RunFence lost = start(thread);
        end(lost, success());
        RunFence held = start(thread);

        List<Uni<Object>> ends = List.of(
                storage.runs().end(lost, success()).<Object> map(next -> next).onFailure().recoverWithItem(e -> e),
                storage.runs().end(held, success()).map(next -> next));
        List<Object> results = await(Uni.join().all(ends).andFailFast());

        assertThat(results.getFirst()).isInstanceOf(FenceLostException.class);
        assertThat(find(thread, held.run()).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void onlyEndedRunsAreDeleted() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);

        assertThat(delete(OWNER, fence)).isEqualTo(Deletion.ACTIVE);
        end(fence, success());
        assertThat(delete(OTHER, fence)).isEqualTo(Deletion.MISSING);
        assertThat(delete(OWNER, fence)).isEqualTo(Deletion.DELETED);
        assertThat(delete(OWNER, fence)).isEqualTo(Deletion.MISSING);
    }

    @Test
    void runIsNotDeletedWhileAnotherOneIsRunning() {
        StoredThread thread = createThread();
        RunFence ended = start(thread);
        end(ended, success());
        RunFence running = start(thread);

        assertThat(delete(OWNER, ended)).isEqualTo(Deletion.ACTIVE);
        end(running, success());
        assertThat(delete(OWNER, ended)).isEqualTo(Deletion.DELETED);
    }

    @Test
    void updatesExcludeRunsAndAreNotListed() {
        StoredThread thread = createThread();
        NewRun update = new NewRun(OWNER, thread.key().thread(), UUID.randomUUID(), Kind.UPDATE, REPLICA, ASSISTANT,
                MultitaskStrategy.REJECT, "{}", new byte[0], null, null);

        RunFence fence = ((Begun.Running) begin(update)).fence();

        assertThat(begin(newRun(thread, MultitaskStrategy.REJECT))).isEqualTo(new Begun.Busy());
        assertThat(list(thread)).isEmpty();
        end(fence, success());
        assertThat(begin(newRun(thread, MultitaskStrategy.REJECT))).isInstanceOf(Begun.Running.class);
    }

    private Deletion delete(Owner owner, RunFence fence) {
        return await(storage.runs().delete(owner, fence.thread().thread(), fence.run()));
    }

    private static void assertLost(Uni<?> write) {
        assertThatThrownBy(() -> await(write)).isInstanceOf(FenceLostException.class);
    }
}
