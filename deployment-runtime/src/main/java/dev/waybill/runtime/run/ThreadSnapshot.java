package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.time.Timestamps;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;

/** The stored status, interrupts and values of a thread; reading them needs no request to its graph. */
public final class ThreadSnapshot {

    private final StoredThread thread;

    ThreadSnapshot(StoredThread thread) {
        this.thread = thread;
    }

    /** Returns whether the thread has an active run. */
    public boolean isBusy() {
        return thread.status() == ThreadStatus.BUSY;
    }

    /** Returns whether the thread waits for an answer. */
    public boolean isInterrupted() {
        return thread.status() == ThreadStatus.INTERRUPTED && !interrupts().isEmpty();
    }

    /** Returns the interrupts of the last run that has ended, with their ids and values; an active run may answer them. */
    public ArrayNode interrupts() {
        ArrayNode interrupts = JsonNodeFactory.instance.arrayNode();
        parse(thread.interrupts()).forEach(task -> task.forEach(interrupts::add));
        return interrupts;
    }

    /** Returns the interrupts as they are stored. */
    String storedInterrupts() {
        return thread.interrupts();
    }

    /** Returns the id or the name of the assistant that has executed the last run. */
    public Optional<String> assistant() {
        JsonNode metadata = parse(thread.metadata());
        return Optional.ofNullable(metadata.path("assistant_id").textValue())
                .or(() -> Optional.ofNullable(metadata.path("graph_id").textValue()));
    }

    /** Returns the members of the state that are stored with the thread. */
    public ObjectNode state() {
        ObjectNode state = JsonNodeFactory.instance.objectNode();
        state.set("values", parse(thread.state()));
        state.set("interrupts", interrupts());
        ObjectNode checkpoint = state.putObject("checkpoint").put("thread_id", thread.key().thread().toString())
                .put("checkpoint_ns", "");
        if (thread.checkpoint() != null) {
            checkpoint.put("checkpoint_id", thread.checkpoint().toString());
        }
        Instant updatedAt = thread.stateUpdatedAt();
        return state.put("created_at", updatedAt == null ? null : Timestamps.format(updatedAt));
    }

    private static JsonNode parse(String json) {
        return Json.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
