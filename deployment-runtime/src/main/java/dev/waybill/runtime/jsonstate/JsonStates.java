package dev.waybill.runtime.jsonstate;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.id.Ids;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.time.Timestamps;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.jsonstate.JsonStateMemory.Reservation;
import dev.waybill.runtime.storage.CheckpointStorage.CheckpointFilter;
import dev.waybill.runtime.storage.CheckpointStorage.CheckpointPage;
import dev.waybill.runtime.storage.CheckpointStorage.StoredBlob;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadKey;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Reads JSON states of threads, and creates new ones. */
@Singleton
public class JsonStates {

    private static final int READ_BYTES = 1 << 20;
    /** Maximum size of a state that is parsed on an event loop. */
    private static final int MAX_INLINE_BYTES = 256 << 10;
    private static final int PAGE_SIZE = 4;
    private static final long VERSION_7 = 0x7000L;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final RuntimeStorage storage;
    private final Ids ids;
    private final Clock clock;
    private final Blocking blocking;
    private final JsonStateMemory memory;

    JsonStates(RuntimeStorage storage, Ids ids, Clock clock, Blocking blocking, JsonStateMemory memory) {
        this.storage = storage;
        this.ids = ids;
        this.clock = clock;
        this.blocking = blocking;
        this.memory = memory;
    }

    /** Returns the state at a checkpoint, without an id the newest one; empty if the thread does not have the checkpoint. */
    public Uni<Optional<JsonState>> read(ThreadKey thread, @Nullable UUID id) {
        return read(thread, id, size -> {
            // Requests for states are limited by their number.
        });
    }

    private Uni<Optional<JsonState>> read(ThreadKey thread, @Nullable UUID id, LongConsumer beforeValues) {
        return storage.execute(opened -> opened.checkpoints().get(thread, "", id).chain(found -> found
                .map(checkpoint -> state(opened, thread, checkpoint, checkpoint.blobs(), beforeValues).map(Optional::of))
                .orElseGet(() -> {
                    beforeValues.accept(0);
                    return Uni.createFrom().item(id == null ? Optional.of(JsonState.empty()) : Optional.empty());
                })));
    }

    /** Returns the state that a new one follows, which must be the newest; otherwise as {@link #read}. */
    public Uni<Optional<JsonState>> readBefore(ThreadKey thread, @Nullable UUID id) {
        return readBefore(thread, id, read(thread, id));
    }

    /**
     * Returns the same for a run, which gets memory for its states; fails with a
     * {@link JsonStateMemory.UnavailableException} if there is none.
     *
     * @param reserved receives the reservation before the values are read
     */
    public Uni<Optional<JsonState>> readForRun(ThreadKey thread, @Nullable UUID id, Consumer<Reservation> reserved) {
        return readBefore(thread, id, read(thread, id, size -> reserved.accept(memory.reserve(size))));
    }

    private Uni<Optional<JsonState>> readBefore(ThreadKey thread, @Nullable UUID id, Uni<Optional<JsonState>> before) {
        return id == null ? before
                : before.chain(found -> found.isEmpty() ? Uni.createFrom().item(found)
                        : page(thread, new CheckpointFilter("", null, null, null, 1))
                                .map(page -> found.map(state -> page.checkpoints().isEmpty() ? state
                                        : state.withNewest(page.checkpoints().getFirst().id()))));
    }

    /**
     * Returns states of a thread, newest first; reads few at a time, as each may have {@link JsonState#MAX_BYTES}.
     *
     * @param metadata object that the metadata must contain; null: any
     */
    public Multi<JsonState> list(ThreadKey thread, @Nullable UUID id, @Nullable UUID before, @Nullable String metadata,
            int limit) {
        Position position = new Position(before, limit);
        return Multi.createBy().repeating()
                .uni(() -> page(thread, new CheckpointFilter("", id, position.before, metadata,
                        Math.min(PAGE_SIZE, position.remaining))).invoke(position::advance))
                .whilst(page -> page.next() != null && position.remaining > 0)
                .onItem().transformToMultiAndConcatenate(page -> Multi.createFrom().iterable(page.checkpoints())
                        .onItem().transformToUniAndConcatenate(checkpoint -> storage.execute(
                                opened -> state(opened, thread, checkpoint, page.blobs(), size -> {
                                    // Pages are small.
                                }))));
    }

    private Uni<CheckpointPage> page(ThreadKey thread, CheckpointFilter filter) {
        return storage.execute(opened -> opened.checkpoints().list(thread, filter));
    }

    private Uni<JsonState> state(Storage opened, ThreadKey thread, StoredCheckpoint checkpoint, List<StoredBlob> blobs,
            LongConsumer beforeValues) {
        Map<String, byte[]> values = new LinkedHashMap<>();
        Map<Map.Entry<String, String>, StoredValue> known = blobs.stream().collect(Collectors.toMap(
                blob -> Map.entry(blob.channel(), blob.version()), StoredBlob::value, (first, second) -> first));
        Uni<Void> read = Uni.createFrom().voidItem();
        long size = 0;
        for (Map.Entry<String, String> channel : checkpoint.versions().entrySet()) {
            StoredValue value = known.get(Map.entry(channel.getKey(), channel.getValue()));
            // A graph with checkpoints may have written the thread before, with types that only its worker reads.
            if (value != null && value.type().equals("json")) {
                size += value.size();
                read = read.chain(() -> bytes(opened, thread, value))
                        .invoke(json -> values.put(channel.getKey(), json))
                        .replaceWithVoid();
            }
        }
        beforeValues.accept(size);
        // Parsing a large state would block the event loop.
        boolean large = size > MAX_INLINE_BYTES;
        return read.chain(() -> large ? blocking.call(() -> state(checkpoint, values))
                : Uni.createFrom().item(state(checkpoint, values)));
    }

    private static JsonState state(StoredCheckpoint checkpoint, Map<String, byte[]> members) {
        ObjectNode values = JSON.objectNode();
        members.forEach((name, json) -> values.set(name, Json.parse(json)));
        JsonNode body = Json.parse(checkpoint.body());
        ArrayNode tasks = body.path("tasks") instanceof ArrayNode stored ? stored : JSON.arrayNode();
        return new JsonState(values, tasks, JsonText.object(checkpoint.metadata()), body.path("created_at").textValue(),
                checkpoint.id(), checkpoint.parent(), null);
    }

    private static Uni<byte[]> bytes(Storage opened, ThreadKey thread, StoredValue value) {
        byte[] inline = value.bytes();
        if (inline != null) {
            return Uni.createFrom().item(inline);
        }
        byte[] whole = new byte[value.size()];
        AtomicInteger at = new AtomicInteger();
        return Multi.createBy().repeating()
                .uni(() -> opened.checkpoints().read(thread, value.key(), at.get(), READ_BYTES)
                        .map(Optional::orElseThrow)
                        .invoke(range -> System.arraycopy(range, 0, whole, at.getAndAdd(range.length), range.length)))
                .until(range -> range.length == 0 || at.get() >= whole.length)
                .collect().last()
                .replaceWith(whole);
    }

    /**
     * Creates the state that follows another one.
     *
     * @param values values of the state
     * @param tasks the task that waits for an answer, from {@link #waiting}; empty: none
     * @param metadata members of the checkpoint's metadata besides the number of its step
     * @throws InvalidStateException for values that cannot be stored
     */
    public NewJsonState create(JsonState before, ObjectNode values, ArrayNode tasks, ObjectNode metadata) {
        ObjectNode body = JSON.objectNode().put("created_at", Timestamps.format(clock.instant()));
        body.set("tasks", tasks);
        return NewJsonState.of(before, idAfter(before.newest() == null ? before.id() : before.newest()), values, body,
                metadata.put("step", before.nextStep()));
    }

    /** Returns the task of a graph that waits for the answer to an interrupt. */
    public ArrayNode waiting(String graph, JsonNode interrupt) {
        ArrayNode tasks = JSON.arrayNode();
        String id = ids.newId().toString();
        ObjectNode task = tasks.addObject().put("id", id).put("name", graph);
        task.putArray("path");
        task.putNull("error");
        task.putArray("interrupts").addObject().put("id", id.replace("-", "")).set("value", interrupt);
        task.putNull("checkpoint").putNull("state").putNull("result");
        return tasks;
    }

    /** Returns an id that sorts after that of the checkpoint before, even if another replica's clock is ahead. */
    private UUID idAfter(@Nullable UUID before) {
        UUID id = ids.newId();
        if (before == null || id.getMostSignificantBits() > before.getMostSignificantBits()) {
            return id;
        }
        return new UUID((before.getMostSignificantBits() >>> 16) + 1 << 16 | VERSION_7, id.getLeastSignificantBits());
    }

    /** Position in the history of a thread. */
    private static final class Position {

        private @Nullable UUID before;
        private int remaining;

        Position(@Nullable UUID before, int limit) {
            this.before = before;
            this.remaining = limit;
        }

        void advance(CheckpointPage page) {
            before = page.next();
            remaining -= page.checkpoints().size();
        }
    }
}
