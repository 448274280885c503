package dev.waybill.runtime.storage;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Runs on threads: at most one of a thread is running, and only the holder of its fence writes. */
public interface RunStorage {

    /** Maximum number of pending runs of a thread. */
    int MAX_PENDING = 100;

    /** Age of a running run after which its replica knows it, if the result of its start arrived. */
    Duration UNKNOWN_AGE = Duration.ofSeconds(15);

    /**
     * Starts a run, or applies its strategy if the thread has an active run. May be repeated with the same run: if that is
     * stored already, because the first result was lost, the state of its first attempt is returned. A run with this id that
     * has ended, or belongs to another replica, is {@link Begun.Existing}.
     */
    Uni<Begun> begin(NewRun run);

    /**
     * Stores the result of a run and of its thread; starts the next pending run if this replica may run it. Fails with a
     * {@link ChangesRejectedException} if the last checkpoints of the run cannot be stored, and stores nothing then.
     */
    Uni<Optional<StartedRun>> end(RunFence fence, RunEnd end);

    /** Returns a run to the pending ones, because its replica stops. */
    Uni<Void> release(RunFence fence);

    /** Returns a run. */
    Uni<Optional<StoredRun>> find(Owner owner, UUID thread, UUID run);

    /** Returns those runs that are pending or running, of any owner. */
    Uni<Set<UUID>> findActive(Collection<UUID> runs);

    /** Returns runs of a thread without those of kind {@code UPDATE}, newest first; their requests are empty. */
    Uni<List<StoredRun>> list(Owner owner, UUID thread, RunFilter filter);

    /**
     * Deletes an ended run and its checkpoints, while no run of the thread is running: its next checkpoint may name versions of
     * channels that the deleted run stored.
     */
    Uni<Deletion> delete(Owner owner, UUID thread, UUID run);

    /**
     * Marks running runs to be cancelled and ends pending ones; returns the number of both. If a rollback fails, some of the
     * runs may be cancelled.
     */
    Uni<Integer> requestCancel(Owner owner, RunSelection selection, CancelAction action);

    /** Extends the lease of a replica; returns the cancellations of its runs and starts its due runs. */
    Uni<ReplicaTick> renew(Replica replica);

    /**
     * Takes over the running runs of replicas whose lease has expired, and those of the replica that it does not know since
     * {@link #UNKNOWN_AGE}: the result that named them was lost.
     */
    Uni<List<StartedRun>> claimLost(Replica replica, int limit);

    /** Ends the lease of a replica, so that others take over its runs at once. */
    Uni<Void> leave(UUID replica);

    /** Asks the replica of an active run to store its events for a time, because a client of another replica joined it. */
    Uni<Void> follow(Owner owner, UUID thread, UUID run, Duration time);

    /** Stores events of a run. */
    Uni<Void> appendEvents(RunFence fence, List<EventChunk> chunks);

    /** Deletes the stored events of a run. */
    Uni<Void> discardEvents(RunFence fence);

    /** Returns events after a number, also of a running run; empty if the owner has no such run. */
    Uni<Optional<EventChunks>> readEvents(Owner owner, UUID run, long after);

    /** Status of a stored run. */
    enum Status {
        /** Waits for its time, or for other runs of the thread. */
        PENDING,
        /** Runs on a replica. */
        RUNNING,
        /** Succeeded; the thread may have next tasks. */
        SUCCESS,
        /** Failed. */
        ERROR,
        /** Exceeded the timeout. */
        TIMEOUT,
        /** Cancelled. */
        INTERRUPTED;

        /** Returns whether the run has ended. */
        public boolean isFinal() {
            return this != PENDING && this != RUNNING;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Kind of a run. */
    enum Kind {
        /** A run of the graph. */
        RUN,
        /** An update of the state by a client, which excludes runs. */
        UPDATE
    }

    /** Effect of a new run on the active runs of its thread. */
    enum MultitaskStrategy {
        /** The new run is rejected. */
        REJECT,
        /** The new run waits. */
        ENQUEUE,
        /** The active runs are cancelled and keep their checkpoints. */
        INTERRUPT,
        /** The active runs are cancelled and deleted. */
        ROLLBACK
    }

    /** Effect of a cancellation. */
    enum CancelAction {
        /** The run ends as interrupted and keeps its checkpoints. */
        INTERRUPT,
        /** The run is deleted with its checkpoints. */
        ROLLBACK
    }

    /**
     * A run to start.
     *
     * @param request serialized request, which only the caller interprets
     * @param runAt earliest start; null: now
     * @param newThread the thread to create if it is missing; null: none
     * @param fork the checkpoint from which the run starts, which must exist; null: the newest one
     * @param asked stored interrupts of the thread, a JSON object, which the run answers and which must be unchanged; null: any
     */
    record NewRun(Owner owner, UUID thread, UUID id, Kind kind, UUID replica, UUID assistant, MultitaskStrategy strategy,
            String metadata, byte[] request, @Nullable Instant runAt, ThreadStorage.@Nullable NewThread newThread,
            @Nullable CheckpointKey fork, @Nullable String asked) {

        /** Creates a run that starts from the newest checkpoint. */
        public NewRun(Owner owner, UUID thread, UUID id, Kind kind, UUID replica, UUID assistant, MultitaskStrategy strategy,
                String metadata, byte[] request, @Nullable Instant runAt, ThreadStorage.@Nullable NewThread newThread) {
            this(owner, thread, id, kind, replica, assistant, strategy, metadata, request, runAt, newThread, null, null);
        }

        /** Returns a copy that creates another thread, or none (null). */
        public NewRun created(ThreadStorage.@Nullable NewThread thread) {
            return new NewRun(owner, this.thread, id, kind, replica, assistant, strategy, metadata, request, runAt, thread,
                    fork, asked);
        }

        /** Returns a copy that starts from another checkpoint, or from the newest one (null). */
        public NewRun forkedFrom(@Nullable CheckpointKey checkpoint) {
            return new NewRun(owner, thread, id, kind, replica, assistant, strategy, metadata, request, runAt, newThread,
                    checkpoint, asked);
        }

        /** Returns a copy that is stored only if the thread still has these interrupts; null: any. */
        public NewRun answering(@Nullable String interrupts) {
            return new NewRun(owner, thread, id, kind, replica, assistant, strategy, metadata, request, runAt, newThread, fork,
                    interrupts);
        }
    }

    /** A checkpoint of a thread. */
    record CheckpointKey(String namespace, UUID id) {
    }

    /**
     * Parts of a thread that its run needs.
     *
     * @param metadata a JSON object
     * @param config a JSON object
     * @param versions versions of its values by channel
     * @param newest its newest checkpoint; null if the storage does not return it
     */
    record ThreadHead(String metadata, String config, Map<String, String> versions, @Nullable NewestCheckpoint newest) {

        /** Creates a head without the newest checkpoint. */
        public ThreadHead(String metadata, String config, Map<String, String> versions) {
            this(metadata, config, versions, null);
        }
    }

    /**
     * The newest checkpoint of a thread, without those of subgraphs.
     *
     * @param id null: none
     * @param written whether tasks have written for the step after it
     */
    record NewestCheckpoint(@Nullable UUID id, boolean written) {
    }

    /** Result of the start of a run. */
    sealed interface Begun {

        /** The run is running on the caller's replica. */
        record Running(RunFence fence, ThreadHead thread) implements Begun {
        }

        /** The run waits; these running runs were marked to be cancelled. */
        record Queued(List<UUID> cancelled) implements Begun {
        }

        /** The thread has an active run and the strategy is to reject; nothing was stored. */
        record Busy() implements Begun {
        }

        /** The thread has {@link #MAX_PENDING} pending runs; nothing was stored. */
        record Full() implements Begun {
        }

        /** The owner has no such thread. */
        record NoThread() implements Begun {
        }

        /** The thread does not have the checkpoint from which the run forks, or no longer; the run was not stored. */
        record NoCheckpoint() implements Begun {
        }

        /** Another run has answered the interrupts of the thread, or asked others; nothing was stored. */
        record Answered() implements Begun {
        }

        /** A run of the thread has this id and has ended, or another replica has it; nothing was stored. */
        record Existing() implements Begun {
        }
    }

    /**
     * Result of a run.
     *
     * @param error JSON of the error
     * @param state the thread's new state; null: unchanged
     * @param rollback deletes the run and its checkpoints; the other members have no effect
     * @param changes checkpoints and writes that are stored with the end
     */
    record RunEnd(Status status, @Nullable String error, ThreadStatus thread, @Nullable State state, boolean rollback,
            List<Change> changes) {

        /** Creates the end of a run whose checkpoints are stored. */
        public RunEnd(Status status, @Nullable String error, ThreadStatus thread, @Nullable State state, boolean rollback) {
            this(status, error, thread, state, rollback, List.of());
        }

        /** Returns the same end with further checkpoints and writes. */
        public RunEnd with(List<? extends Change> more) {
            return more.isEmpty() ? this
                    : new RunEnd(status, error, thread, state, rollback,
                            Stream.concat(changes.stream(), more.stream()).toList());
        }

        /** Returns the end of a run that is deleted with its checkpoints. */
        public static RunEnd rolledBack() {
            return new RunEnd(Status.INTERRUPTED, null, ThreadStatus.IDLE, null, true);
        }
    }

    /**
     * State of a thread after a run.
     *
     * @param values values of the channels that changed
     * @param channels all channels that have a value; values of others are deleted
     * @param interrupts interrupts by task id, a JSON object
     */
    record State(Map<String, ChannelValue> values, Set<String> channels, String interrupts, @Nullable UUID checkpoint) {
    }

    /** A stored run. */
    record StoredRun(ThreadKey thread, UUID id, Kind kind, UUID assistant, Status status, int attempt, UUID replica,
            MultitaskStrategy strategy, String metadata, byte[] request, @Nullable Instant runAt,
            @Nullable CancelAction cancel, @Nullable String error, Instant createdAt, @Nullable Instant startedAt,
            Instant updatedAt) {
    }

    /**
     * A run that the caller's replica must execute now.
     *
     * @param hasCheckpoint whether an earlier attempt stored a checkpoint, from which the run continues
     */
    record StartedRun(RunFence fence, StoredRun run, boolean hasCheckpoint, ThreadHead thread) {
    }

    /** Selects runs of a thread; a null status selects all. */
    record RunFilter(@Nullable Status status, int limit, int offset) {
    }

    /** Selects active runs: of a thread or of all, these or all, pending, running or both (null). */
    record RunSelection(@Nullable UUID thread, Collection<UUID> runs, @Nullable Status status) {
    }

    /** Consecutive events of a run, serialized by the caller; at most 64 KiB. */
    record EventChunk(long first, long last, byte[] events) {
    }

    /**
     * Events of a run.
     *
     * @param complete whether the run has ended and these are its last events
     */
    record EventChunks(List<EventChunk> chunks, boolean complete) {
    }

    /** Result of a deletion. */
    enum Deletion {
        /** The run was deleted. */
        DELETED,
        /** The run is active, or another one of its thread is running; nothing was deleted. */
        ACTIVE,
        /** The thread has no such run. */
        MISSING
    }

    /**
     * A replica.
     *
     * @param waiting pending runs for which clients of the replica wait
     * @param known other runs that the replica executes or has begun to store
     */
    record Replica(UUID id, Duration lease, Collection<UUID> waiting, Collection<UUID> known) {
    }

    /** A request to cancel a running run. */
    record Cancellation(UUID run, CancelAction action) {
    }

    /**
     * Work of a replica.
     *
     * @param cancellations running runs that the replica must cancel
     * @param started pending runs that the replica must execute; they are running now
     * @param withdrawn waiting runs that are neither pending nor of this replica any more
     * @param followed running runs whose events the replica must store
     */
    record ReplicaTick(List<Cancellation> cancellations, List<StartedRun> started, List<UUID> withdrawn,
            Set<UUID> followed) {
    }
}
