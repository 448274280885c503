package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.ThreadKey;
import io.smallrye.mutiny.Uni;

/** Runs on threads in the file. */
final class SqliteRuns implements RunStorage {

    private final SqliteFile file;
    private final SqliteThreads threads;
    private final Clock clock;

    SqliteRuns(SqliteFile file, SqliteThreads threads, Clock clock) {
        this.file = file;
        this.threads = threads;
        this.clock = clock;
    }

    @Override
    public Uni<Begun> begin(NewRun run) {
        return file.write((long) run.request().length + run.metadata().length(), session -> begin(session, run));
    }

    /** Starts a run in a transaction, or applies its strategy; a repeated start has no effect. */
    Begun begin(SqliteSession session, NewRun run) throws SQLException {
        Optional<StoredRun> stored = find(session, run.owner(), run.thread(), run.id());
        if (stored.isPresent()) {
            return repeated(session, run, stored.get());
        }
        Optional<ThreadKey> thread = threadOf(session, run);
        if (thread.isEmpty()) {
            return new Begun.NoThread();
        }
        CheckpointKey fork = run.fork();
        boolean exists = fork == null || session.exists(
                "SELECT 1 FROM checkpoints WHERE thread_key = ? AND namespace = ? AND checkpoint_id = ?", thread.get().key(),
                fork.namespace(), fork.id());
        if (!exists) {
            return new Begun.NoCheckpoint();
        }
        String asked = run.asked();
        boolean waits = asked == null || session.exists("SELECT 1 FROM threads WHERE thread_key = ? AND interrupts = ?",
                thread.get().key(), asked);
        return waits ? begin(session, thread.get(), run) : new Begun.Answered();
    }

    private static Begun repeated(SqliteSession session, NewRun repeated, StoredRun run) throws SQLException {
        if (run.status().isFinal() || !run.replica().equals(repeated.replica())) {
            return new Begun.Existing();
        }
        return run.status() == Status.RUNNING && run.attempt() == 1
                ? new Begun.Running(RunFence.of(run), RunRows.head(session, run.thread().key()))
                : new Begun.Queued(List.of());
    }

    private Optional<ThreadKey> threadOf(SqliteSession session, NewRun run) throws SQLException {
        Optional<ThreadKey> found = SqliteThreads.key(session, run.owner(), run.thread());
        return found.isEmpty() && run.newThread() != null ? threads.insert(session, run.owner(), run.newThread()) : found;
    }

    private Begun begin(SqliteSession session, ThreadKey thread, NewRun run) throws SQLException {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        boolean due = run.runAt() == null || !run.runAt().isAfter(now);
        boolean blocked = isBlocked(session, thread, now);
        List<UUID> cancelled = List.of();
        if (blocked) {
            if (run.strategy() == MultitaskStrategy.REJECT) {
                return new Begun.Busy();
            }
            if (run.strategy() == MultitaskStrategy.INTERRUPT || run.strategy() == MultitaskStrategy.ROLLBACK) {
                cancelled = Cancellations.ofThread(session, thread,
                        run.strategy() == MultitaskStrategy.INTERRUPT ? CancelAction.INTERRUPT : CancelAction.ROLLBACK, now);
                blocked = isBlocked(session, thread, now);
            }
        }
        if (due && !blocked) {
            insert(session, thread, run, Status.RUNNING, now);
            return new Begun.Running(new RunFence(thread, run.id(), 1, now), RunRows.head(session, thread.key()));
        }
        if (session.number("SELECT count(*) FROM runs WHERE thread_key = ? AND status = 'pending'",
                thread.key()) >= MAX_PENDING) {
            return new Begun.Full();
        }
        insert(session, thread, run, Status.PENDING, now);
        return new Begun.Queued(cancelled);
    }

    /** Returns whether the thread has a running run or one that starts before a new one. */
    private static boolean isBlocked(SqliteSession session, ThreadKey thread, Instant now) throws SQLException {
        return session.exists("""
                SELECT 1 FROM runs
                 WHERE thread_key = ? AND (status = 'running' OR status = 'pending' AND (run_at IS NULL OR run_at <= ?))
                """, thread.key(), now);
    }

    private static void insert(SqliteSession session, ThreadKey thread, NewRun run, Status status, Instant now)
            throws SQLException {
        boolean running = status == Status.RUNNING;
        session.update("""
                INSERT INTO runs (run_id, thread_key, kind, assistant_id, status, attempt, replica_id, multitask_strategy,
                                  metadata, request, run_at, created_at, started_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, run.id(), thread.key(), run.kind(), run.assistant(), status, running ? 1 : 0, run.replica(),
                run.strategy(), run.metadata(), run.request(), run.runAt(), now, running ? now : null, now);
    }

    @Override
    public Uni<Optional<StartedRun>> end(RunFence fence, RunEnd end) {
        return file.write(bytes(end), session -> {
            RunRows.requireFence(session, fence);
            Instant now = clock.instant();
            UUID replica = session.first("SELECT replica_id FROM runs WHERE run_id = ?", row -> row.id("replica_id"),
                    fence.run()).orElseThrow(() -> new SQLException("run " + fence.run() + " is missing"));
            UUID thread = fence.thread().key();
            if (end.rollback()) {
                RunRows.delete(session, thread, fence.run());
            } else {
                session.update("UPDATE runs SET status = ?, error = ?, updated_at = ? WHERE run_id = ?", end.status(),
                        end.error(), now, fence.run());
                ThreadState.store(session, thread, end, now);
                for (Change change : end.changes()) {
                    SqliteCheckpoints.insert(session, fence, change);
                }
            }
            Optional<UUID> next = RunRows.nextOf(session, thread, replica, now);
            return next.isEmpty() ? Optional.empty() : Optional.of(RunRows.start(session, next.get(), replica, now));
        });
    }

    @Override
    public Uni<Void> release(RunFence fence) {
        return file.change(0, session -> {
            RunRows.requireFence(session, fence);
            session.update("UPDATE runs SET status = 'pending', updated_at = ? WHERE run_id = ?", clock.instant(), fence.run());
        });
    }

    @Override
    public Uni<Optional<StoredRun>> find(Owner owner, UUID thread, UUID run) {
        return file.read(session -> find(session, owner, thread, run));
    }

    private static Optional<StoredRun> find(SqliteSession session, Owner owner, UUID thread, UUID run) throws SQLException {
        return session.first(RunRows.SELECT + "WHERE r.run_id = ? AND t.thread_id = ? AND t.owner = ?", RunRows::run, run,
                thread, owner.name());
    }

    @Override
    public Uni<Set<UUID>> findActive(Collection<UUID> runs) {
        List<UUID> asked = List.copyOf(runs);
        return file.read(session -> {
            Set<UUID> active = new HashSet<>();
            for (UUID run : asked) {
                if (session.exists("SELECT 1 FROM runs WHERE run_id = ? AND status IN ('pending', 'running')", run)) {
                    active.add(run);
                }
            }
            return active;
        });
    }

    @Override
    public Uni<List<StoredRun>> list(Owner owner, UUID thread, RunFilter filter) {
        return file.read(session -> session.list(RunRows.SELECT_LISTED + """
                WHERE t.thread_id = ? AND t.owner = ? AND r.kind = 'run' AND (?3 IS NULL OR r.status = ?3)
                ORDER BY r.created_at DESC, r.run_id DESC LIMIT ? OFFSET ?
                """, RunRows::run, thread, owner.name(), filter.status(), filter.limit(), filter.offset()));
    }

    @Override
    public Uni<Deletion> delete(Owner owner, UUID thread, UUID run) {
        return file.write(0, session -> {
            Optional<StoredRun> found = find(session, owner, thread, run);
            if (found.isEmpty()) {
                return Deletion.MISSING;
            }
            UUID key = found.get().thread().key();
            if (!found.get().status().isFinal()
                    || session.exists("SELECT 1 FROM runs WHERE thread_key = ? AND status = 'running'", key)) {
                return Deletion.ACTIVE;
            }
            RunRows.delete(session, key, run);
            return Deletion.DELETED;
        });
    }

    @Override
    public Uni<Integer> requestCancel(Owner owner, RunSelection selection, CancelAction action) {
        return file.write(0, session -> Cancellations.request(session, owner, selection, action, clock.instant()));
    }

    @Override
    public Uni<ReplicaTick> renew(Replica replica) {
        return file.write(0, session -> ReplicaRows.renew(session, replica, clock.instant()));
    }

    @Override
    public Uni<List<StartedRun>> claimLost(Replica replica, int limit) {
        return file.write(0, session -> ReplicaRows.claimLost(session, replica, limit, clock.instant()));
    }

    @Override
    public Uni<Void> leave(UUID replica) {
        return file.change(0, session -> {
            session.update("DELETE FROM replicas WHERE replica_id = ?", replica);
        });
    }

    /** Has no effect: one runtime at a time uses the file, so no client is connected to another one. */
    @Override
    public Uni<Void> follow(Owner owner, UUID thread, UUID run, Duration time) {
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> discardEvents(RunFence fence) {
        return file.change(0, session -> {
            RunRows.requireFence(session, fence);
            session.update("DELETE FROM run_events WHERE run_id = ?", fence.run());
        });
    }

    @Override
    public Uni<Void> appendEvents(RunFence fence, List<EventChunk> chunks) {
        return file.change(chunks.stream().mapToLong(chunk -> chunk.events().length).sum(), session -> {
            RunRows.requireFence(session, fence);
            RunEvents.append(session, fence, chunks);
        });
    }

    @Override
    public Uni<Optional<EventChunks>> readEvents(Owner owner, UUID run, long after) {
        return file.read(session -> RunEvents.read(session, owner, run, after));
    }

    private static long bytes(RunEnd end) {
        long ofChanges = end.changes().stream().mapToLong(Change::bytes).sum();
        return end.state() == null ? ofChanges
                : ofChanges + end.state().values().values().stream().mapToLong(value -> value.json().length()).sum();
    }
}
