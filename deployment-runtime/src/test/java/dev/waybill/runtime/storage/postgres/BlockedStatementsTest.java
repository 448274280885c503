package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** A transaction that locks rows of one run delays the others only for a short time. */
class BlockedStatementsTest {

    private static final Owner OWNER = new Owner("somebody");
    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final RunEnd SUCCESS = new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false);

    private final RuntimeDatabase database = new RuntimeDatabase();
    private final Storage storage = database.open();
    private Connection other;

    @BeforeEach
    void begin() throws SQLException {
        other = database.transaction();
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        storage.close();
    }

    @Test
    void endsOvertakeTheEndOfALockedRun() throws SQLException {
        RunFence locked = start();
        RunFence run = start();
        lock(locked);
        CompletableFuture<?> blocked = storage.runs().end(locked, SUCCESS).subscribeAsCompletionStage();
        database.awaitLock();

        assertThat(storage.runs().end(run, SUCCESS).subscribeAsCompletionStage()).succeedsWithin(PATIENCE);

        assertThat(blocked).isNotDone();
        other.rollback();
        assertThat(blocked).succeedsWithin(PATIENCE);
    }

    @Test
    void checkpointsOvertakeThoseOfALockedRun() throws SQLException {
        RunFence locked = start();
        RunFence run = start();
        lock(locked);
        CompletableFuture<?> blocked = put(locked);
        database.awaitLock();

        assertThat(put(run)).succeedsWithin(PATIENCE);

        assertThat(blocked).isNotDone();
        other.rollback();
        assertThat(blocked).succeedsWithin(PATIENCE);
    }

    @Test
    void startsOvertakeThatOfAThreadBeingCreated() throws SQLException {
        UUID existing = start().thread().thread();
        UUID created = UUID.randomUUID();
        execute("""
                INSERT INTO runtime.threads
                SELECT (jsonb_populate_record(t, '{"thread_id": "%s", "thread_key": "%s"}')).*
                  FROM runtime.threads t WHERE thread_id = '%s'
                """.formatted(created, UUID.randomUUID(), existing));
        CompletableFuture<?> blocked = begin(created).subscribeAsCompletionStage();
        database.awaitLock();

        assertThat(begin(UUID.randomUUID()).subscribeAsCompletionStage()).succeedsWithin(PATIENCE);

        assertThat(blocked).isNotDone();
        other.rollback();
        assertThat(blocked).succeedsWithin(PATIENCE);
    }

    @Test
    void runningRunIsCancelledBeforeALockedPendingOne() throws SQLException {
        RunFence running = start();
        UUID pending = UUID.randomUUID();
        assertThat(storage.runs().begin(newRun(running.thread().thread(), pending, MultitaskStrategy.ENQUEUE)).await()
                .atMost(PATIENCE)).isInstanceOf(Begun.Queued.class);
        lock(pending);
        RunSelection all = new RunSelection(null, List.of(), null);
        CompletableFuture<Integer> cancelled = storage.runs().requestCancel(OWNER, all, CancelAction.ROLLBACK)
                .subscribeAsCompletionStage();
        database.awaitLock();

        assertThat(find(running.thread().thread(), running.run()).orElseThrow().cancel()).isEqualTo(CancelAction.ROLLBACK);
        assertThat(put(running)).succeedsWithin(PATIENCE);

        assertThat(cancelled).isNotDone();
        other.rollback();
        assertThat(cancelled).succeedsWithin(PATIENCE).isEqualTo(2);
        assertThat(find(running.thread().thread(), pending)).isEmpty();
    }

    private Optional<StoredRun> find(UUID thread, UUID run) {
        return storage.runs().find(OWNER, thread, run).await().atMost(PATIENCE);
    }

    private void lock(RunFence run) throws SQLException {
        lock(run.run());
    }

    private void lock(UUID run) throws SQLException {
        execute("SELECT 1 FROM runtime.runs WHERE run_id = '" + run + "' FOR UPDATE");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute(sql);
        }
    }

    private RunFence start() {
        return ((Begun.Running) begin(UUID.randomUUID()).await().atMost(PATIENCE)).fence();
    }

    private Uni<Begun> begin(UUID thread) {
        return storage.runs().begin(newRun(thread, UUID.randomUUID(), MultitaskStrategy.REJECT));
    }

    private static NewRun newRun(UUID thread, UUID run, MultitaskStrategy strategy) {
        return new NewRun(OWNER, thread, run, Kind.RUN, UUID.randomUUID(), UUID.randomUUID(), strategy, "{}", new byte[0], null,
                new NewThread(thread, "{}", "{}", null));
    }

    private CompletableFuture<?> put(RunFence run) {
        return storage.checkpoints().put(run, new NewCheckpoint("", UUID.randomUUID(), null,
                new NewValue("json", new byte[] { 1 }), "{}", Map.of(), List.of())).subscribeAsCompletionStage();
    }
}
