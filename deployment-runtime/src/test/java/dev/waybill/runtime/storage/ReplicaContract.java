package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Cancellation;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.ReplicaTick;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import io.smallrye.mutiny.Uni;

/** Contract of {@link RunStorage}: leases of replicas, claims and ticks. */
public abstract class ReplicaContract extends StorageContract {

    @Test
    void runIsClaimedOnlyAfterTheLeaseOfItsReplica() {
        StoredThread thread = createThread();
        await(storage.runs().renew(replica(REPLICA)));
        RunFence lost = start(thread);

        assertThat(claim(OTHER_REPLICA)).isEmpty();
        clock.advance(LEASE);
        List<StartedRun> claimed = claim(OTHER_REPLICA);

        assertThat(claimed).extracting(StartedRun::fence).containsExactly(next(lost));
        assertThat(claimed.getFirst().run().replica()).isEqualTo(OTHER_REPLICA);
        assertThat(claimed.getFirst().hasCheckpoint()).isFalse();
        assertThatThrownBy(() -> await(storage.runs().end(lost, success()))).isInstanceOf(FenceLostException.class);
        assertThat(await(storage.runs().end(claimed.getFirst().fence(), success()))).isEmpty();
        assertThat(claim(OTHER_REPLICA)).isEmpty();
    }

    @Test
    void endOfALostAttemptIsNotTheEndOfTheNextOne() {
        StoredThread thread = createThread();
        RunFence lost = start(thread);
        start(createThread());
        List<StartedRun> claimed = claim(OTHER_REPLICA);
        RunFence next = next(lost);
        RunFence other = claimed.stream().map(StartedRun::fence).filter(fence -> !fence.equals(next)).findFirst().orElseThrow();

        // The first end is being stored while the others are added.
        CompletableFuture<?> first = endLater(other);
        CompletableFuture<?> late = endLater(lost);
        CompletableFuture<?> last = endLater(next);

        assertThat(first).succeedsWithin(PATIENCE);
        assertThat(late).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(FenceLostException.class);
        assertThat(last).succeedsWithin(PATIENCE);
    }

    private CompletableFuture<?> endLater(RunFence fence) {
        return storage.runs().end(fence, success()).subscribeAsCompletionStage();
    }

    @Test
    void oneReplicaClaimsARun() {
        StoredThread thread = createThread();
        start(thread);

        List<List<StartedRun>> claims = await(Uni.join().all(List.of(
                storage.runs().claimLost(replica(OTHER_REPLICA), 10),
                storage.runs().claimLost(replica(UUID.randomUUID()), 10))).andFailFast());

        assertThat(claims).extracting(List::size).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void runsOfAReplicaThatLeftAreClaimedAtOnce() {
        await(storage.runs().renew(replica(REPLICA)));
        start(createThread());

        await(storage.runs().leave(REPLICA));

        assertThat(claim(OTHER_REPLICA)).hasSize(1);
    }

    @Test
    void releasedRunStartsAgainInTheNextAttempt() {
        StoredThread thread = createThread();
        RunFence first = start(thread);

        await(storage.runs().release(first));
        await(storage.runs().leave(REPLICA));
        List<StartedRun> started = await(storage.runs().renew(replica(OTHER_REPLICA))).started();

        assertThat(started).extracting(StartedRun::fence).containsExactly(next(first));
    }

    @Test
    void tickReturnsCancellationsOfItsReplica() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        RunSelection run = new RunSelection(null, List.of(fence.run()), null);

        await(storage.runs().requestCancel(OWNER, run, CancelAction.ROLLBACK));
        await(storage.runs().requestCancel(OWNER, run, CancelAction.INTERRUPT));

        assertThat(await(storage.runs().renew(replica(REPLICA))).cancellations())
                .containsExactly(new Cancellation(fence.run(), CancelAction.ROLLBACK));
        assertThat(await(storage.runs().renew(replica(OTHER_REPLICA))).cancellations()).isEmpty();
    }

    @Test
    void pendingRunStartsOnItsReplicaWhileThatHasALease() {
        StoredThread thread = createThread();
        await(storage.runs().renew(replica(OTHER_REPLICA)));
        RunFence running = start(thread);
        NewRun pending = newRun(thread, UUID.randomUUID(), OTHER_REPLICA, MultitaskStrategy.ENQUEUE, null);
        begin(pending);

        assertThat(await(storage.runs().renew(replica(OTHER_REPLICA))).started()).isEmpty();
        assertThat(await(storage.runs().end(running, success()))).isEmpty();
        assertThat(await(storage.runs().renew(replica(REPLICA))).started()).isEmpty();

        assertThat(await(storage.runs().renew(replica(OTHER_REPLICA))).started()).extracting(run -> run.run().id())
                .containsExactly(pending.id());
    }

    @Test
    void pendingRunOfALostReplicaStartsOnAnother() {
        StoredThread thread = createThread();
        RunFence running = start(thread);
        NewRun pending = newRun(thread, UUID.randomUUID(), OTHER_REPLICA, MultitaskStrategy.ENQUEUE, null);
        begin(pending);

        StartedRun next = await(storage.runs().end(running, success())).orElseThrow();

        assertThat(next.run()).extracting(StoredRun::id, StoredRun::replica).containsExactly(pending.id(), REPLICA);
    }

    @Test
    void tickReportsWaitingRunsThatWereWithdrawn() {
        StoredThread thread = createThread();
        start(thread);
        NewRun kept = newRun(thread, MultitaskStrategy.ENQUEUE);
        NewRun cancelled = newRun(thread, MultitaskStrategy.ENQUEUE);
        begin(kept);
        begin(cancelled);
        await(storage.runs().requestCancel(OWNER, new RunSelection(null, List.of(cancelled.id()), null),
                CancelAction.ROLLBACK));

        ReplicaTick tick = await(
                storage.runs().renew(new Replica(REPLICA, LEASE, List.of(kept.id(), cancelled.id()), List.of())));

        assertThat(tick.withdrawn()).containsExactly(cancelled.id());
    }

    @Test
    void replicaClaimsItsRunsThatItDoesNotKnow() {
        await(storage.runs().renew(replica(REPLICA)));
        RunFence known = start(createThread());
        RunFence unknown = start(createThread());
        Replica replica = new Replica(REPLICA, LEASE, List.of(), List.of(known.run()));

        assertThat(await(storage.runs().claimLost(replica, 10))).isEmpty();
        clock.advance(RunStorage.UNKNOWN_AGE);
        List<StartedRun> claimed = await(storage.runs().claimLost(replica, 10));

        assertThat(claimed).extracting(StartedRun::fence).containsExactly(next(unknown));
        assertThat(await(storage.runs().claimLost(replica, 10))).isEmpty();
    }

    @Test
    void runOfALostReplicaIsClaimedAlsoIfItsIdIsKnown() {
        RunFence lost = start(createThread());
        Replica replica = new Replica(OTHER_REPLICA, LEASE, List.of(), List.of(lost.run()));

        assertThat(await(storage.runs().claimLost(replica, 10))).extracting(StartedRun::fence).containsExactly(next(lost));
    }

    @Test
    void deletedRunWritesNothingIntoALaterOneWithItsId() {
        StoredThread thread = createThread();
        RunFence deleted = start(thread);
        RunFence claimed = claim(OTHER_REPLICA).getFirst().fence();
        await(storage.runs().end(claimed, RunEnd.rolledBack()));

        RunFence later = ((Begun.Running) begin(newRun(thread, deleted.run(), OTHER_REPLICA, MultitaskStrategy.ENQUEUE, null)))
                .fence();

        assertThat(later.attempt()).isEqualTo(deleted.attempt());
        assertLost(storage.runs().appendEvents(deleted, List.of(new EventChunk(1, 1, new byte[1]))));
        assertLost(storage.runs().discardEvents(deleted));
        assertLost(storage.checkpoints().store(deleted, List.of(new NewWrites("", UUID.randomUUID(), "task", "", List.of()))));
        assertLost(storage.checkpoints().deleteOfThread(deleted));
        assertLost(storage.runs().release(deleted));
        assertLost(storage.runs().end(deleted, success()));
        assertLost(storage.runs().end(deleted, RunEnd.rolledBack()));
        assertThat(end(later, success())).isEmpty();
    }

    private static void assertLost(Uni<?> write) {
        assertThatThrownBy(() -> await(write)).isInstanceOf(FenceLostException.class);
    }

    private static RunFence next(RunFence fence) {
        return new RunFence(fence.thread(), fence.run(), fence.attempt() + 1, fence.createdAt());
    }

    private List<StartedRun> claim(UUID replica) {
        return await(storage.runs().claimLost(replica(replica), 10));
    }
}
