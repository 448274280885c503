package dev.waybill.runtime.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import dev.waybill.common.testing.SettableClock;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunFilter;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.Created;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Fixtures of the contract. An adapter's test extends each contract and opens its storage. */
public abstract class StorageContract {

    protected static final Owner OWNER = new Owner("workspace-1");
    protected static final Owner OTHER = new Owner("workspace-2");
    protected static final UUID REPLICA = UUID.randomUUID();
    protected static final UUID OTHER_REPLICA = UUID.randomUUID();
    protected static final UUID ASSISTANT = UUID.randomUUID();
    protected static final Duration LEASE = Duration.ofSeconds(10);

    protected static final Duration PATIENCE = Duration.ofSeconds(60);

    protected final SettableClock clock = new SettableClock(Instant.parse("2026-01-02T03:04:05.678901Z"));
    protected Storage storage;

    /** Opens the storage; the second call of a test opens the same one again. */
    protected abstract Storage open(Clock clock) throws Exception;

    @BeforeEach
    void openStorage() throws Exception {
        storage = open(clock);
    }

    @AfterEach
    void closeStorage() {
        storage.close();
    }

    protected static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }

    protected StoredThread createThread() {
        return create(OWNER, UUID.randomUUID(), "{}");
    }

    protected StoredThread create(Owner owner, UUID id, String metadata) {
        Created created = await(storage.threads().create(owner, new NewThread(id, metadata, "{}", null)));
        clock.advance(Duration.ofMillis(1));
        return ((Created.New) created).thread();
    }

    protected StoredThread find(StoredThread thread) {
        return await(storage.threads().find(thread.key().owner(), thread.key().thread())).orElseThrow();
    }

    protected NewRun newRun(StoredThread thread, MultitaskStrategy strategy) {
        return newRun(thread, UUID.randomUUID(), REPLICA, strategy, null);
    }

    protected static NewRun newRun(StoredThread thread, UUID id, UUID replica, MultitaskStrategy strategy,
            @Nullable Instant runAt) {
        return new NewRun(thread.key().owner(), thread.key().thread(), id, Kind.RUN, replica, ASSISTANT, strategy,
                "{\"source\": \"test\"}", new byte[] { 1, 2, 3 }, runAt, null);
    }

    protected Begun begin(NewRun run) {
        Begun begun = await(storage.runs().begin(run));
        clock.advance(Duration.ofMillis(1));
        return begun;
    }

    protected RunFence start(StoredThread thread) {
        return ((Begun.Running) begin(newRun(thread, MultitaskStrategy.ENQUEUE))).fence();
    }

    protected List<StartedRun> end(RunFence fence, RunEnd end) {
        return await(storage.runs().end(fence, end)).stream().toList();
    }

    protected StoredRun find(StoredThread thread, UUID run) {
        return await(storage.runs().find(OWNER, thread.key().thread(), run)).orElseThrow();
    }

    protected List<StoredRun> list(StoredThread thread) {
        return await(storage.runs().list(OWNER, thread.key().thread(), new RunFilter(null, 100, 0)));
    }

    protected static RunEnd success(Map<String, ChannelValue> values, Set<String> channels) {
        return new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, new State(values, channels, "{}", null), false);
    }

    protected static RunEnd success() {
        return success(Map.of(), Set.of());
    }

    protected static Replica replica(UUID id) {
        return new Replica(id, LEASE, List.of(), List.of());
    }
}
