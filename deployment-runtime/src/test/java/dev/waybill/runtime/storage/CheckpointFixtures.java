package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.CheckpointFilter;
import dev.waybill.runtime.storage.CheckpointStorage.CheckpointPage;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.CheckpointStorage.StoredBlob;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;
import dev.waybill.runtime.storage.CheckpointStorage.ValueKey;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import io.smallrye.mutiny.Uni;

/** Fixtures of the contracts of checkpoints. */
public abstract class CheckpointFixtures extends StorageContract {

    private int ids;

    protected NewCheckpoint put(RunFence fence, @Nullable UUID parent, Map<String, String> versions, NewBlob... blobs) {
        UUID id = nextId();
        NewCheckpoint checkpoint = new NewCheckpoint("", id, parent, value("body of " + id), "{\"step\":" + ids + "}", versions,
                List.of(blobs));
        await(storage.checkpoints().put(fence, checkpoint));
        return checkpoint;
    }

    protected UUID nextId() {
        return new UUID(0x1ef0_0000_0000_6000L + ++ids, 0x8000_0000_0000_0000L);
    }

    protected void write(RunFence fence, NewCheckpoint checkpoint, String task, int index, String text) {
        await(storage.checkpoints().putWrites(fence, new NewWrites("", checkpoint.id(), task, "",
                List.of(new NewWrite(index, "channel", value(text))))));
    }

    protected StoredCheckpoint get(RunFence fence, @Nullable UUID id) {
        return await(storage.checkpoints().get(fence.thread(), "", id)).orElseThrow();
    }

    protected CheckpointPage list(StoredThread thread, @Nullable UUID before, @Nullable String metadata, int limit) {
        return await(storage.checkpoints().list(thread.key(), new CheckpointFilter(null, null, before, metadata, limit)));
    }

    protected byte[] read(ThreadKey thread, ValueKey key, int offset, int length) {
        return await(storage.checkpoints().read(thread, key, offset, length)).orElseThrow();
    }

    protected static NewBlob blob(String channel, String version, String text) {
        return new NewBlob(channel, version, value(text));
    }

    protected static NewValue value(String text) {
        return new NewValue("json", bytes(text));
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static List<String> texts(List<StoredBlob> blobs) {
        return blobs.stream().map(blob -> text(blob.value())).toList();
    }

    protected static String text(StoredValue value) {
        byte[] content = value.bytes();
        return content == null ? "" : new String(content, StandardCharsets.UTF_8);
    }

    protected static void assertLost(Uni<?> write) {
        assertThatThrownBy(() -> await(write)).isInstanceOf(FenceLostException.class);
    }
}
