package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;
import dev.waybill.runtime.storage.CheckpointStorage.StoredWrite;
import dev.waybill.runtime.storage.RunStorage.Deletion;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;

/** Contract of {@link CheckpointStorage}: values, writes and fences. */
public abstract class CheckpointContract extends CheckpointFixtures {

    @Test
    void checkpointIsReturnedWithTheValuesOfItsVersions() {
        RunFence fence = start(createThread());
        NewCheckpoint first = put(fence, null, Map.of("a", "1", "b", "1"), blob("a", "1", "A1"), blob("b", "1", "B1"));
        NewCheckpoint second = put(fence, first.id(), Map.of("a", "2", "b", "1"), blob("a", "2", "A2"));

        StoredCheckpoint newest = get(fence, null);

        assertThat(newest.id()).isEqualTo(second.id());
        assertThat(newest.parent()).isEqualTo(first.id());
        assertThat(newest.run()).isEqualTo(fence.run());
        assertThat(newest.type()).isEqualTo("json");
        assertThat(newest.body()).isEqualTo(second.body().bytes());
        assertThat(newest.metadata()).isEqualTo(second.metadata());
        assertThat(newest.versions()).isEqualTo(second.versions());
        assertThat(texts(newest.blobs())).containsExactlyInAnyOrder("A2", "B1");
        assertThat(texts(get(fence, first.id()).blobs())).containsExactlyInAnyOrder("A1", "B1");
    }

    @Test
    void missingCheckpointIsEmpty() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        put(fence, null, Map.of());

        assertThat(await(storage.checkpoints().get(thread.key(), "", UUID.randomUUID()))).isEmpty();
        assertThat(await(storage.checkpoints().get(thread.key(), "sub", null))).isEmpty();
        assertThat(await(storage.checkpoints().get(createThread().key(), "", null))).isEmpty();
        ThreadKey foreign = new ThreadKey(OTHER, thread.key().thread(), thread.key().key());
        assertThat(await(storage.checkpoints().get(foreign, "", null))).isEmpty();
    }

    @Test
    void repeatedPutReplacesTheBodyAndKeepsVersions() {
        RunFence fence = start(createThread());
        NewCheckpoint first = put(fence, null, Map.of("a", "1"), blob("a", "1", "A1"));

        await(storage.checkpoints().put(fence, new NewCheckpoint("", first.id(), null, value("again"), "{}",
                Map.of("a", "1"), List.of(blob("a", "1", "changed")))));

        assertThat(get(fence, null).body()).isEqualTo(bytes("again"));
        assertThat(texts(get(fence, null).blobs())).containsExactly("A1");
    }

    @Test
    void removedValueHasNoBytes() {
        RunFence fence = start(createThread());

        put(fence, null, Map.of("a", "1"), new NewBlob("a", "1", new NewValue("empty", null)));

        StoredValue value = get(fence, null).blobs().getFirst().value();
        assertThat(value.type()).isEqualTo("empty");
        assertThat(value.bytes()).isNull();
        assertThat(value.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, CheckpointStorage.INLINE_BYTES, CheckpointStorage.INLINE_BYTES + 1, 1 << 20, (1 << 20) + 1,
            5_000_000, 20 << 20 })
    void largeValuesAreReadInRanges(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        NewCheckpoint checkpoint = put(fence, null, Map.of("a", "1"), new NewBlob("a", "1", new NewValue("bytes", content)));
        await(storage.checkpoints().putWrites(fence, new NewWrites("", checkpoint.id(), "task", "",
                List.of(new NewWrite(0, "a", new NewValue("bytes", content))))));

        StoredCheckpoint stored = get(fence, null);

        for (StoredValue value : List.of(stored.blobs().getFirst().value(), stored.writes().getFirst().value())) {
            assertThat(value.size()).isEqualTo(size);
            assertThat(value.bytes()).isEqualTo(size > CheckpointStorage.INLINE_BYTES ? null : content);
            assertThat(read(thread.key(), value.key(), 0, size)).isEqualTo(content);
            int offset = size * 2 / 3;
            assertThat(read(thread.key(), value.key(), offset, 700_000))
                    .isEqualTo(Arrays.copyOfRange(content, offset, Math.min(size, offset + 700_000)));
            assertThat(read(thread.key(), value.key(), size, 10)).isEmpty();
            assertThat(await(storage.checkpoints().read(createThread().key(), value.key(), 0, 10))).isEmpty();
        }
    }

    @Test
    void repeatedTaskKeepsItsFirstResultAndItsNewestAnswer() {
        RunFence fence = start(createThread());
        NewCheckpoint checkpoint = put(fence, null, Map.of());

        write(fence, checkpoint, "t2", 0, "first");
        write(fence, checkpoint, "t1", 1, "other");
        write(fence, checkpoint, "t1", -4, "old answer");
        write(fence, checkpoint, "t2", 0, "second");
        write(fence, checkpoint, "t1", -4, "new answer");

        assertThat(get(fence, null).writes()).extracting(StoredWrite::task, StoredWrite::index,
                write -> text(write.value())).containsExactly(
                        tuple("t1", -4, "new answer"),
                        tuple("t1", 1, "other"),
                        tuple("t2", 0, "first"));
    }

    @Test
    void changesAreStoredInOrderAndLostFencesStoreNothing() {
        RunFence fence = start(createThread());
        UUID first = nextId();
        UUID second = nextId();
        List<Change> changes = List.of(checkpoint(first, null, "1", "A"), writes(first, "task", "first"),
                writes(first, "task", "second"), checkpoint(second, first, "2", "B"), writes(second, "task", "third"));

        await(storage.checkpoints().store(fence, changes));
        assertLost(
                storage.checkpoints().store(new RunFence(fence.thread(), fence.run(), fence.attempt() + 1, fence.createdAt()),
                        List.of(checkpoint(nextId(), second, "3", "C"))));

        assertThat(get(fence, null).id()).isEqualTo(second);
        assertThat(texts(get(fence, null).blobs())).containsExactly("B");
        assertThat(get(fence, first).writes()).extracting(write -> text(write.value())).containsExactly("first");
        assertThat(get(fence, second).parent()).isEqualTo(first);
    }

    private static NewCheckpoint checkpoint(UUID id, @Nullable UUID parent, String version, String text) {
        return new NewCheckpoint("", id, parent, value("body"), "{}", Map.of("a", version), List.of(blob("a", version, text)));
    }

    private static NewWrites writes(UUID checkpoint, String task, String text) {
        return new NewWrites("", checkpoint, task, "", List.of(new NewWrite(0, "a", value(text))));
    }

    @Test
    void forksOfOneCheckpointDoNotMixTheirValues() {
        RunFence fence = start(createThread());
        NewCheckpoint origin = put(fence, null, Map.of("a", "1.x"), blob("a", "1.x", "A"));
        NewCheckpoint left = put(fence, origin.id(), Map.of("a", "2.left"), blob("a", "2.left", "L"));
        NewCheckpoint right = put(fence, origin.id(), Map.of("a", "2.right"), blob("a", "2.right", "R"));

        assertThat(texts(get(fence, left.id()).blobs())).containsExactly("L");
        assertThat(texts(get(fence, right.id()).blobs())).containsExactly("R");
    }

    @Test
    void endStoresItsCheckpointWithTheState() {
        StoredThread thread = createThread();
        RunFence first = start(thread);
        NewCheckpoint checkpoint = checkpoint(null, "1", value("body"));
        await(storage.runs().end(first, endWith("1", checkpoint)));

        RunFence second = start(thread);
        NewCheckpoint next = checkpoint(checkpoint.id(), "1", value("body"));
        await(storage.runs().end(second, endWith("1", next)));

        assertThat(get(first, null).id()).isEqualTo(next.id());
        assertThat(get(first, null).run()).isEqualTo(second.run());
        assertThat(texts(get(first, checkpoint.id()).blobs())).containsExactly("value of 1");
        assertThat(find(thread).values()).containsOnlyKeys("a");
        // An equal version is stored once, and remains while another checkpoint has it.
        assertThat(await(storage.runs().delete(OWNER, thread.key().thread(), first.run()))).isEqualTo(Deletion.DELETED);
        assertThat(texts(get(first, null).blobs())).containsExactly("value of 1");
    }

    @Test
    void failedEndLeavesTheThreadAsItWas() {
        StoredThread thread = createThread();
        await(storage.runs().end(start(thread), endWith("1", checkpoint(null, "1", value("body")))));
        RunFence fence = start(thread);
        NewCheckpoint torn = checkpoint(null, "2", new NewValue("json", null));

        assertThatThrownBy(() -> await(storage.runs().end(fence, endWith("2", torn))))
                .isInstanceOfAny(StorageException.class, ChangesRejectedException.class);

        assertThat(find(thread).values()).isEqualTo(Map.of("a", new ChannelValue("1", "1")));
        assertThat(find(thread, fence.run()).status()).isEqualTo(Status.RUNNING);
        assertThat(list(thread, null, null, 10).checkpoints()).hasSize(1);
        await(storage.runs().end(fence, endWith("3", checkpoint(null, "3", value("body")))));
        assertThat(find(thread).values()).isEqualTo(Map.of("a", new ChannelValue("3", "3")));
    }

    private NewCheckpoint checkpoint(@Nullable UUID parent, String version, NewValue body) {
        return new NewCheckpoint("", nextId(), parent, body, "{}", Map.of("a", version),
                List.of(blob("a", version, "value of " + version)));
    }

    private static RunEnd endWith(String version, NewCheckpoint checkpoint) {
        return success(Map.of("a", new ChannelValue(version, version)), Set.of("a")).with(List.of(checkpoint));
    }

    @Test
    void lostFenceWritesNothing() {
        StoredThread thread = createThread();
        RunFence lost = start(thread);
        NewCheckpoint checkpoint = put(lost, null, Map.of());
        await(storage.runs().leave(REPLICA));
        clock.advance(Duration.ofSeconds(1));
        StartedRun claimed = await(storage.runs().claimLost(replica(OTHER_REPLICA), 1)).getFirst();

        assertThat(claimed.hasCheckpoint()).isTrue();
        assertLost(storage.checkpoints().put(lost, checkpoint));
        assertLost(storage.checkpoints().putWrites(lost, new NewWrites("", checkpoint.id(), "t", "", List.of())));
        assertLost(storage.checkpoints().deleteOfThread(lost));
        assertLost(storage.runs().end(lost, endWith("1", checkpoint(null, "1", value("body")))));
        assertThat(list(thread, null, null, 10).checkpoints()).hasSize(1);
        assertThat(find(thread).values()).isEmpty();
    }
}
