package dev.waybill.runtime.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.checkpoint.RequestHandler.InlineLimits;
import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams.BlobRead;
import dev.waybill.runtime.protocol.RequestParams.ChannelWrite;
import dev.waybill.runtime.protocol.RequestParams.CheckpointGet;
import dev.waybill.runtime.protocol.RequestParams.CheckpointPut;
import dev.waybill.runtime.protocol.RequestParams.CheckpointQuery;
import dev.waybill.runtime.protocol.RequestParams.StoreBatch;
import dev.waybill.runtime.protocol.RequestParams.WritesPut;
import dev.waybill.runtime.protocol.SerializedValue;
import dev.waybill.runtime.protocol.StoreOperation;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.NewestCheckpoint;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageContract;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.sqlite.SqliteStorage;

class StorageRequestHandlerTest extends StorageContract {

    private static final InlineLimits LIMITS = new InlineLimits(256 << 10, 1 << 20);

    @TempDir
    Path directory;

    private int ids;
    private final CheckpointCache cache = new CheckpointCache();

    @Override
    protected Storage open(Clock clock) {
        return SqliteStorage.open(directory, clock);
    }

    @Test
    void checkpointIsReadAsItWasWritten() {
        RequestHandler run = handler(RequestScope.writing(start(createThread())));
        CheckpointPut put = put(null, "value");
        join(run.store(List.of(put)));
        join(run.store(List.of(new WritesPut("", put.id(), "task", "path", List.of(
                new ChannelWrite(0, "channel", text("written")), new ChannelWrite(1, "removed", SerializedValue.empty()),
                new ChannelWrite(2, "blank", text("")))))));

        CheckpointTuple read = join(run.get(new CheckpointGet("", null), LIMITS)).orElseThrow();

        assertThat(read.id()).isEqualTo(put.id());
        assertThat(new String(read.metadata(), UTF_8)).isEqualTo("{\"step\":1}");
        assertThat(read.versions()).isEqualTo(put.versions());
        assertThat(read.checkpoint()).usingRecursiveComparison().isEqualTo(put.checkpoint());
        assertThat(read.blobs()).usingRecursiveComparison().isEqualTo(put.blobs());
        assertThat(read.writes()).extracting(write -> write.value().type()).containsExactly("json", "empty", "json");
    }

    @Test
    void largeValueIsReadInRanges() {
        RequestHandler run = handler(RequestScope.writing(start(createThread())));
        String large = "x".repeat(300_000);
        join(run.store(List.of(put(null, large))));

        SerializedValue value = join(run.get(new CheckpointGet("", null), LIMITS)).orElseThrow().blobs().getFirst().value();

        assertThat(value.bytes()).isNull();
        assertThat(value.size()).isEqualTo(300_000);
        String reference = String.valueOf(value.reference());
        assertThat(join(run.read(new BlobRead(reference, 0), 256 << 10))).hasSize(256 << 10);
        assertThat(join(run.read(new BlobRead(reference, 256 << 10), 256 << 10))).hasSize(300_000 - (256 << 10));
        assertThat(join(run.read(new BlobRead(reference, 300_000), 256 << 10))).isEmpty();
        assertFails(() -> run.read(new BlobRead("7", 0), 10), Code.INVALID_PARAMS);
    }

    @Test
    void valuesBeyondTheSpaceOfTheResponseAreReferences() {
        RequestHandler run = handler(RequestScope.writing(start(createThread())));
        join(run.store(List.of(put(null, "a".repeat(400)))));
        join(run.store(List.of(put(null, "b".repeat(400)))));

        CheckpointTuple.Page page = join(run.list(query(null, 10), new InlineLimits(1000, 600)));

        assertThat(page.tuples()).hasSize(2);
        assertThat(page.blobs()).extracting(blob -> blob.value().bytes() == null).containsExactly(false, true);
    }

    @Test
    void pageEndsWhenTheResponseIsFull() {
        RequestHandler run = handler(RequestScope.writing(start(createThread())));
        CheckpointPut first = put(null, "a");
        CheckpointPut second = put(first.id(), "b");
        join(run.store(List.of(first)));
        join(run.store(List.of(second)));

        CheckpointTuple.Page page = join(run.list(query(null, 10), new InlineLimits(1000, 30)));
        CheckpointTuple.Page rest = join(run.list(query(page.next(), 10), new InlineLimits(1000, 30)));

        assertThat(page.tuples()).extracting(CheckpointTuple::id).containsExactly(second.id());
        assertThat(page.blobs()).extracting(ChannelBlob::version).containsExactlyElementsOf(second.versions().values());
        assertThat(rest.tuples()).extracting(CheckpointTuple::id).containsExactly(first.id());
        assertThat(rest.next()).isNull();
    }

    @Test
    void runBeginsWithTheRetainedCheckpoint() {
        StoredThread thread = createThread();
        RunFence first = start(thread);
        RequestHandler run = handler(RequestScope.writing(first, new NewestCheckpoint(null, false)));
        CheckpointPut put = put(null, "value");
        CheckpointPut last = put(put.id(), put.versions(), List.of());
        assertThat(join(run.get(new CheckpointGet("", null), LIMITS))).isEmpty();
        join(run.store(List.of(put, last)));
        end(first, success());
        RunFence second = start(thread);

        CheckpointTuple retained = newest(RequestScope.writing(second, new NewestCheckpoint(last.id(), false)));
        CheckpointTuple stored = newest(RequestScope.writing(second));

        assertThat(cache.find(thread.key().key(), last.id())).isNotNull();
        assertThat(retained).usingRecursiveComparison().isEqualTo(stored);
        assertThat(retained.blobs()).usingRecursiveComparison().isEqualTo(put.blobs());
    }

    @Test
    void checkpointOfAnotherReplicaOrWithWritesIsReadFromTheStorage() {
        StoredThread thread = createThread();
        RunFence fence = start(thread);
        CheckpointPut put = put(null, "value");
        join(handler(RequestScope.writing(fence, new NewestCheckpoint(null, false))).store(List.of(put)));
        CheckpointPut newer = put(put.id(), "newer");
        await(storage.checkpoints().put(fence, new NewCheckpoint("", newer.id(), put.id(), new NewValue("json", new byte[0]),
                "{}", Map.of(), List.of())));
        await(storage.checkpoints().putWrites(fence, new NewWrites("", newer.id(), "task", "",
                List.of(new NewWrite(0, "channel", new NewValue("json", new byte[0]))))));

        CheckpointTuple read = newest(RequestScope.writing(fence, new NewestCheckpoint(newer.id(), false)));
        CheckpointTuple written = newest(RequestScope.writing(fence, new NewestCheckpoint(newer.id(), true)));

        assertThat(read.id()).isEqualTo(newer.id());
        assertThat(written.writes()).hasSize(1);
    }

    @Test
    void lastCheckpointsAreStoredWithTheEnd() {
        StoredThread thread = createThread();
        RunFence first = start(thread);
        OpenScope opened = new OpenScope(RequestScope.writing(first, new NewestCheckpoint(null, false)), cache);
        RequestHandler run = new StorageRequestHandler(storage, opened);
        CheckpointPut put = put(null, "value");
        CheckpointPut last = put(put.id(), put.versions(), List.of());
        join(run.store(List.of(put)));

        run.storeAtEnd(List.of(last));
        UUID before = await(storage.checkpoints().get(thread.key(), "", null)).orElseThrow().id();
        end(first, success().with(opened.last()));
        opened.ended(true);

        RequestScope next = RequestScope.writing(start(thread), new NewestCheckpoint(last.id(), false));
        assertThat(before).isEqualTo(put.id());
        assertThat(newest(next).id()).isEqualTo(last.id());
        assertThat(new OpenScope(next, cache).newest(Set.of("json"))).hasValueSatisfying(
                json -> assertThat(json).contains(last.id().toString(), "value"));
    }

    @Test
    void requestOtherThanRunHasNoLastCheckpoints() {
        RunFence update = start(createThread());

        for (RequestScope scope : List.of(RequestScope.writing(update), RequestScope.reading(update.thread()),
                RequestScope.withoutThread(OWNER))) {
            OpenScope opened = new OpenScope(scope, cache);
            assertFails(() -> {
                new StorageRequestHandler(storage, opened).storeAtEnd(List.of(put(null, "value")));
                return CompletableFuture.completedFuture(null);
            }, Code.INVALID_PARAMS);
            assertThat(opened.last()).isEmpty();
        }
    }

    @Test
    void newestCheckpointIsNotSentIfItIsNotInMemory() {
        RunFence fence = start(createThread());

        assertThat(new OpenScope(RequestScope.writing(fence, new NewestCheckpoint(null, false)), cache).newest(Set.of()))
                .contains("null");
        assertThat(new OpenScope(RequestScope.writing(fence, new NewestCheckpoint(UUID.randomUUID(), false)), cache)
                .newest(Set.of())).isEmpty();
        assertThat(new OpenScope(RequestScope.writing(fence), cache).newest(Set.of())).isEmpty();
    }

    private CheckpointTuple newest(RequestScope scope) {
        return join(handler(scope).get(new CheckpointGet("", null), LIMITS)).orElseThrow();
    }

    @Test
    void endedRunLosesItsFence() {
        RunFence fence = start(createThread());
        RequestHandler run = handler(RequestScope.writing(fence));
        end(fence, success());

        assertFails(() -> run.store(List.of(put(null, "value"))), Code.FENCE_LOST);
        assertFails(run::deleteCheckpoints, Code.FENCE_LOST);
    }

    @Test
    void requestsForTheStateOnlyRead() {
        RequestHandler state = handler(RequestScope.reading(createThread().key()));

        assertThat(join(state.get(new CheckpointGet("", null), LIMITS))).isEmpty();
        assertFails(() -> state.store(List.of(put(null, "value"))), Code.RUN_ENDED);
    }

    @Test
    void runWithoutThreadUsesTheStoreOnly() {
        RequestHandler run = handler(RequestScope.withoutThread(OWNER));
        byte[] value = "{\"likes\":\"tea\"}".getBytes(UTF_8);

        List<Outcome> stored = execute(run, new StoreOperation.Put(List.of("users"), "a", value, 0.5));
        List<Outcome> found = execute(run, new StoreOperation.Get(List.of("users"), "a", true),
                new StoreOperation.Search(List.of(), null, 10, 0, false),
                new StoreOperation.Namespaces(List.of(), null, 10, 0));

        assertThat(stored).containsExactly(new Outcome.None());
        assertThat(((Outcome.Found) found.getFirst()).item().value().bytes()).isEqualTo(value);
        assertThat(((Outcome.Items) found.get(1)).items()).hasSize(1);
        assertThat(((Outcome.Labels) found.get(2)).namespaces()).containsExactly(List.of("users"));
        assertFails(() -> run.get(new CheckpointGet("", null), LIMITS), Code.RUN_ENDED);
    }

    @Test
    void largeItemIsReadUntilItChanges() {
        RequestHandler run = handler(RequestScope.withoutThread(OWNER));
        byte[] value = ("{\"text\":\"" + "x".repeat(1000) + "\"}").getBytes(UTF_8);
        execute(run, new StoreOperation.Put(List.of("notes"), "a", value, null));
        Outcome found = join(run.execute(new StoreBatch(List.of(new StoreOperation.Get(List.of("notes"), "a", false))),
                new InlineLimits(100, 100))).getFirst();
        String reference = String.valueOf(((Outcome.Found) found).item().value().reference());

        assertThat(join(run.read(new BlobRead(reference, 10), 20))).isEqualTo(Arrays.copyOfRange(value, 10, 30));
        clock.advance(LEASE);
        execute(run, new StoreOperation.Put(List.of("notes"), "a", value, null));

        assertFails(() -> run.read(new BlobRead(reference, 30), 20), Code.INVALID_PARAMS);
    }

    @Test
    void labelsWithFullStopsAreRejected() {
        RequestHandler run = handler(RequestScope.withoutThread(OWNER));

        assertFails(() -> run.execute(new StoreBatch(List.of(new StoreOperation.Get(List.of("a.b"), "a", true))), LIMITS),
                Code.INVALID_PARAMS);
        assertFails(() -> run.execute(new StoreBatch(
                List.of(new StoreOperation.Put(List.of("a"), "a", new byte[] { '{', '}' }, 0.0))), LIMITS),
                Code.INVALID_PARAMS);
    }

    private RequestHandler handler(RequestScope scope) {
        return new StorageRequestHandler(storage, new OpenScope(scope, cache));
    }

    private CheckpointPut put(@Nullable UUID parent, String value) {
        String version = (ids + 1) + ".1";
        return put(parent, Map.of("channel", version), List.of(new ChannelBlob("channel", version, text(value))));
    }

    private CheckpointPut put(@Nullable UUID parent, Map<String, String> versions, List<ChannelBlob> blobs) {
        UUID id = new UUID(0x1ef0_0000_0000_6000L + ++ids, 0x8000_0000_0000_0000L);
        return new CheckpointPut("", id, parent, text("{\"v\":4}"), ("{\"step\":" + ids + "}").getBytes(UTF_8), versions,
                blobs);
    }

    private static SerializedValue text(String text) {
        return SerializedValue.of("json", text.getBytes(UTF_8));
    }

    private static CheckpointQuery query(@Nullable UUID before, int limit) {
        return new CheckpointQuery(null, null, before, limit, null);
    }

    private static List<Outcome> execute(RequestHandler run, StoreOperation... operations) {
        return join(run.execute(new StoreBatch(List.of(operations)), LIMITS));
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void assertFails(Supplier<CompletionStage<?>> call, Code code) {
        RequestException failure = null;
        try {
            join(call.get());
        } catch (RequestException e) {
            failure = e;
        } catch (CompletionException e) {
            failure = (RequestException) e.getCause();
        }
        assertThat(failure).isNotNull().extracting(RequestException::code).isEqualTo(code);
    }
}
