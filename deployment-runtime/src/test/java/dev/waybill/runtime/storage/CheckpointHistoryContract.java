package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.CheckpointStorage.CheckpointPage;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.ValueKey;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CheckpointKey;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.Created;
import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.TimeToLive;

/** Contract of {@link CheckpointStorage}: pages, deletion and pruning. */
public abstract class CheckpointHistoryContract extends CheckpointFixtures {

    @Test
    void rollbackRestoresTheEarlierAnswer() {
        StoredThread thread = createThread();
        RunFence first = start(thread);
        NewCheckpoint checkpoint = put(first, null, Map.of("a", "1"), blob("a", "1", "A1"));
        write(first, checkpoint, "t", -4, "first answer");
        await(storage.runs().end(first, success()));
        RunFence second = start(thread);
        write(second, checkpoint, "t", -4, "second answer");
        put(second, checkpoint.id(), Map.of("a", "2"), blob("a", "2", "A2"));
        assertThat(text(get(second, checkpoint.id()).writes().getFirst().value())).isEqualTo("second answer");

        await(storage.runs().end(second, RunEnd.rolledBack()));

        StoredCheckpoint newest = get(second, null);
        assertThat(newest.id()).isEqualTo(checkpoint.id());
        assertThat(texts(newest.blobs())).containsExactly("A1");
        assertThat(text(newest.writes().getFirst().value())).isEqualTo("first answer");
        assertThat(await(storage.checkpoints().read(thread.key(), new ValueKey.OfBlob("", "a", "2"), 0, 10))).isEmpty();
    }

    @Test
    void deletedRunKeepsVersionsThatLaterCheckpointsHave() {
        StoredThread thread = createThread();
        RunFence first = start(thread);
        put(first, null, Map.of("a", "1", "b", "1"), blob("a", "1", "A1"), blob("b", "1", "B1"));
        await(storage.runs().end(first, success()));
        RunFence second = start(thread);
        put(second, null, Map.of("a", "1", "b", "2"), blob("b", "2", "B2"));
        await(storage.runs().end(second, success()));

        await(storage.runs().delete(OWNER, thread.key().thread(), first.run()));

        assertThat(list(thread, null, null, 10).checkpoints()).hasSize(1);
        assertThat(texts(get(second, null).blobs())).containsExactlyInAnyOrder("A1", "B2");
        assertThat(await(storage.checkpoints().read(thread.key(), new ValueKey.OfBlob("", "b", "1"), 0, 10))).isEmpty();
    }

    @Test
    void pagesAreNewestFirstAndContainEachVersionOnce() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(put(fence, null, Map.of("a", "1"), blob("a", "1", "A1")).id());
        }

        CheckpointPage first = list(thread, null, null, 2);
        CheckpointPage second = list(thread, first.next(), null, 3);

        assertThat(first.checkpoints()).extracting(StoredCheckpoint::id).isEqualTo(ids.subList(0, 2));
        assertThat(texts(first.blobs())).containsExactly("A1");
        assertThat(first.next()).isEqualTo(ids.get(1));
        assertThat(second.checkpoints()).extracting(StoredCheckpoint::id).isEqualTo(ids.subList(2, 5));
        assertThat(second.next()).isNull();
    }

    @Test
    void listSelectsByMetadata() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        put(fence, null, Map.of());
        NewCheckpoint second = put(fence, null, Map.of());

        assertThat(list(thread, null, "{\"step\":2}", 10).checkpoints()).extracting(StoredCheckpoint::id)
                .containsExactly(second.id());
    }

    @Test
    void recreatedThreadHasNoCheckpoints() {
        StoredThread thread = createThread();
        put(start(thread), null, Map.of("a", "1"), blob("a", "1", "A1"));

        await(storage.threads().delete(OWNER, thread.key().thread()));
        StoredThread again = create(OWNER, thread.key().thread(), "{}");

        assertThat(list(again, null, null, 10).checkpoints()).isEmpty();
        assertThat(await(storage.threads().expire(1000))).isPositive();
        assertThat(await(storage.threads().expire(1000))).isZero();
    }

    @Test
    void checkpointsOfTheThreadAreDeletedByItsRun() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        put(fence, null, Map.of("a", "1"), blob("a", "1", "A1"));

        await(storage.checkpoints().deleteOfThread(fence));

        assertThat(list(thread, null, null, 10).checkpoints()).isEmpty();
    }

    @Test
    void copySurvivesTheDeletionOfItsOrigin() {
        StoredThread thread = create(OWNER, UUID.randomUUID(), "{\"a\":1}");
        RunFence fence = start(thread);
        NewBlob large = new NewBlob("b", "1", new NewValue("bytes", new byte[3_000_000]));
        NewCheckpoint checkpoint = put(fence, null, Map.of("a", "1", "b", "1"), blob("a", "1", "A1"), large);
        write(fence, checkpoint, "t", -4, "answer");
        await(storage.runs().end(fence, success(Map.of("a", new ChannelValue("1", "1")), Set.of("a"))));
        UUID target = UUID.randomUUID();

        StoredThread copy = await(storage.threads().copy(OWNER, thread.key().thread(), target)).orElseThrow();
        await(storage.threads().delete(OWNER, thread.key().thread()));
        await(storage.threads().expire(1000));

        assertThat(copy.metadata()).isEqualTo("{\"a\":1}");
        assertThat(find(copy).values()).isEqualTo(Map.of("a", new ChannelValue("1", "1")));
        StoredCheckpoint stored = await(storage.checkpoints().get(copy.key(), "", null)).orElseThrow();
        assertThat(texts(stored.blobs())).contains("A1");
        assertThat(text(stored.writes().getFirst().value())).isEqualTo("answer");
        assertThat(read(copy.key(), new ValueKey.OfBlob("", "b", "1"), 0, 4_000_000)).hasSize(3_000_000);
        assertThat(await(storage.threads().copy(OTHER, target, UUID.randomUUID()))).isEmpty();
        assertThat(list(copy)).isEmpty();
    }

    @Test
    void pruningKeepsTheNewestAndTheirValues() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        put(fence, null, Map.of("a", "1", "b", "1"), blob("a", "1", "A1"), blob("b", "1", "B1"));
        put(fence, null, Map.of("a", "2", "b", "1"), blob("a", "2", "A2"));
        put(fence, null, Map.of("a", "3", "b", "1"), blob("a", "3", "A3"));
        assertThat(await(storage.checkpoints().prune(thread.key(), 1))).isZero();
        await(storage.runs().end(fence, success()));

        assertThat(await(storage.checkpoints().prune(thread.key(), 2))).isOne();

        assertThat(list(thread, null, null, 10).checkpoints()).hasSize(2);
        assertThat(texts(list(thread, null, null, 10).blobs())).containsExactlyInAnyOrder("A3", "B1", "A2");
        assertThat(await(storage.checkpoints().read(thread.key(), new ValueKey.OfBlob("", "a", "1"), 0, 1))).isEmpty();
    }

    @Test
    void forkOfAPrunedCheckpointIsNotStored() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        NewCheckpoint pruned = put(fence, null, Map.of());
        NewCheckpoint newest = put(fence, null, Map.of());
        await(storage.runs().end(fence, success()));
        await(storage.checkpoints().prune(thread.key(), 1));
        NewRun run = newRun(thread, MultitaskStrategy.REJECT);

        assertThat(begin(run.forkedFrom(new CheckpointKey("", pruned.id())))).isEqualTo(new Begun.NoCheckpoint());
        assertThat(begin(run.forkedFrom(new CheckpointKey("inner", newest.id())))).isEqualTo(new Begun.NoCheckpoint());
        assertThat(await(storage.runs().find(OWNER, thread.key().thread(), run.id()))).isEmpty();
        assertThat(begin(run.forkedFrom(new CheckpointKey("", newest.id())))).isInstanceOf(Begun.Running.class);
    }

    @Test
    void pruningKeepsTheCheckpointOfAPendingFork() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        NewCheckpoint first = put(fence, null, Map.of());
        put(fence, null, Map.of());
        begin(newRun(thread, MultitaskStrategy.ENQUEUE).forkedFrom(new CheckpointKey("", first.id())));
        await(storage.runs().end(fence, success()));

        assertThat(await(storage.checkpoints().prune(thread.key(), 1))).isZero();
        assertThat(await(storage.checkpoints().get(thread.key(), "", first.id()))).isPresent();
    }

    @Test
    void expiryKeepsTheNewestCheckpoint() {
        NewThread expiring = new NewThread(UUID.randomUUID(), "{}", "{}", new TimeToLive(5, ExpiryStrategy.KEEP_LATEST));
        StoredThread thread = ((Created.New) await(storage.threads().create(OWNER, expiring))).thread();
        RunFence fence = start(thread);
        put(fence, null, Map.of());
        NewCheckpoint newest = put(fence, null, Map.of());
        await(storage.runs().end(fence, success()));
        clock.advance(Duration.ofMinutes(6));

        await(storage.threads().expire(100));

        assertThat(list(thread, null, null, 10).checkpoints()).extracting(StoredCheckpoint::id)
                .containsExactly(newest.id());
        assertThat(await(storage.threads().expire(100))).isZero();
        assertThat(find(thread).ttl()).isEqualTo(expiring.ttl());
    }

    @Test
    void pruningKeepsTheChainOfDeltas() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        for (String counters : List.of("{}", "{}", "{\"a\":1}", "{\"a\":2}")) {
            await(storage.checkpoints().put(fence, new NewCheckpoint("", nextId(), null, value("body"),
                    "{\"counters_since_delta_snapshot\":" + counters + "}", Map.of(), List.of())));
        }
        await(storage.runs().end(fence, success()));

        assertThat(await(storage.checkpoints().prune(thread.key(), 1))).isOne();
    }
}
