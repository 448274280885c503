package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.EventChunks;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;

/** Contract of {@link RunStorage}: events of resumable runs. */
public abstract class RunEventContract extends StorageContract {

    @Test
    void eventsAreReadAfterANumber() {
        RunFence fence = start(createThread());
        append(fence, new EventChunk(1, 3, "a".getBytes(StandardCharsets.UTF_8)),
                new EventChunk(4, 4, "b".getBytes(StandardCharsets.UTF_8)));

        assertThat(firsts(read(fence, 0))).containsExactly(1L, 4L);
        assertThat(firsts(read(fence, 2))).containsExactly(1L, 4L);
        assertThat(firsts(read(fence, 3))).containsExactly(4L);
        assertThat(read(fence, 4).chunks()).isEmpty();
        assertThat(read(fence, 3).chunks().getFirst().events()).isEqualTo("b".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void eventsAreCompleteAtTheEndOfAnEndedRun() {
        RunFence fence = start(createThread());
        int chunks = 40;
        for (int i = 1; i <= chunks; i++) {
            append(fence, new EventChunk(i, i, new byte[] { (byte) i }));
        }
        assertThat(read(fence, chunks).complete()).isFalse();
        await(storage.runs().end(fence, success()));

        List<Long> firsts = new ArrayList<>();
        EventChunks page = read(fence, 0);
        while (!page.complete()) {
            assertThat(page.chunks()).isNotEmpty();
            firsts.addAll(firsts(page));
            page = read(fence, page.chunks().getLast().last());
        }
        firsts.addAll(firsts(page));

        assertThat(firsts).hasSize(chunks).isSorted();
    }

    @Test
    void eventsAreWrittenWithTheFenceAndReadByTheOwner() {
        RunFence fence = start(createThread());
        append(fence, new EventChunk(1, 1, new byte[] { 1 }));
        await(storage.runs().end(fence, success()));

        assertThatThrownBy(() -> append(fence, new EventChunk(2, 2, new byte[] { 2 })))
                .isInstanceOf(FenceLostException.class);
        assertThatThrownBy(() -> await(storage.runs().discardEvents(fence))).isInstanceOf(FenceLostException.class);
        assertThat(firsts(read(fence, 0))).containsExactly(1L);
        assertThat(await(storage.runs().readEvents(OTHER, fence.run(), 0))).isEmpty();
        await(storage.runs().delete(OWNER, fence.thread().thread(), fence.run()));
        assertThat(await(storage.runs().readEvents(OWNER, fence.run(), 0))).isEmpty();
    }

    @Test
    void largeEventsAreReadInPages() {
        RunFence fence = start(createThread());
        for (int i = 1; i <= 4; i++) {
            append(fence, new EventChunk(i, i, new byte[700 << 10]));
        }
        await(storage.runs().end(fence, success()));

        List<Long> firsts = new ArrayList<>();
        EventChunks page = read(fence, 0);
        while (!page.complete()) {
            firsts.addAll(firsts(page));
            page = read(fence, page.chunks().getLast().last());
        }
        firsts.addAll(firsts(page));

        assertThat(firsts).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void discardedEventsAreNotRead() {
        RunFence fence = start(createThread());
        append(fence, new EventChunk(1, 1, new byte[] { 1 }));

        await(storage.runs().discardEvents(fence));

        assertThat(read(fence, 0).chunks()).isEmpty();
    }

    @Test
    void runWithTheIdOfADeletedOneHasOnlyItsOwnEvents() {
        StoredThread thread = createThread();
        RunFence deleted = start(thread);
        append(deleted, new EventChunk(1, 2, new byte[] { 1 }));
        await(storage.threads().delete(OWNER, thread.key().thread()));
        StoredThread again = create(OWNER, thread.key().thread(), "{}");
        RunFence fence = ((Begun.Running) begin(newRun(again, deleted.run(), REPLICA, MultitaskStrategy.ENQUEUE, null)))
                .fence();

        assertThat(read(fence, 0).chunks()).isEmpty();
        append(fence, new EventChunk(1, 1, new byte[] { 2 }));
        await(storage.threads().expire(100));

        assertThat(firsts(read(fence, 0))).containsExactly(1L);
    }

    protected final void append(RunFence fence, EventChunk... chunks) {
        await(storage.runs().appendEvents(fence, List.of(chunks)));
    }

    protected final EventChunks read(RunFence fence, long after) {
        return await(storage.runs().readEvents(OWNER, fence.run(), after)).orElseThrow();
    }

    private static List<Long> firsts(EventChunks chunks) {
        return chunks.chunks().stream().map(EventChunk::first).toList();
    }
}
