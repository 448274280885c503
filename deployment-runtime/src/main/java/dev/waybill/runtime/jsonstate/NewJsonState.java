package dev.waybill.runtime.jsonstate;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.JsonText;

/**
 * A state to store.
 *
 * @param checkpoint the checkpoint with all its values; the storage stores each version once
 * @param state state of the thread, in the form in which workers with checkpoints return it
 */
public record NewJsonState(NewCheckpoint checkpoint, JsonNode state) {

    private static final int MAX_MEMBERS = 10_000;
    private static final int MAX_NAME_LENGTH = 255;
    private static final String TYPE = "json";

    /**
     * Creates a state.
     *
     * @param body members of the checkpoint besides its values: tasks and the time
     */
    static NewJsonState of(JsonState before, UUID id, ObjectNode values, ObjectNode body, ObjectNode metadata) {
        if (values.size() > MAX_MEMBERS) {
            throw InvalidStateException.invalid("The state has more than %s members.".formatted(MAX_MEMBERS));
        }
        Map<String, String> versions = new HashMap<>();
        List<NewBlob> blobs = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, JsonNode> member : values.properties()) {
            requireName(member.getKey());
            byte[] json = Json.bytes(member.getValue());
            bytes += json.length;
            if (bytes > JsonState.MAX_BYTES) {
                throw InvalidStateException.tooLarge(Json.bytes(values).length);
            }
            String version = version(json);
            versions.put(member.getKey(), version);
            blobs.add(new NewBlob(member.getKey(), version, new NewValue(TYPE, json)));
        }
        return new NewJsonState(
                new NewCheckpoint("", id, before.id(), new NewValue(TYPE, Json.bytes(body)), metadata.toString(),
                        versions, blobs),
                state(id, values, versions, body));
    }

    private static void requireName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || name.indexOf('\0') >= 0) {
            throw InvalidStateException.invalid(
                    "The name of each member of the state must have 1 to %s characters without U+0000."
                            .formatted(MAX_NAME_LENGTH));
        }
    }

    /** Returns the version of a value: equal values have one version, so that an unchanged member is stored once. */
    private static String version(byte[] json) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }

    /** Returns the state as one that another state follows. */
    public JsonState toState(ObjectNode values, JsonState before) {
        return new JsonState(values, before.tasks(), JsonText.object(checkpoint.metadata()), null, checkpoint.id(),
                checkpoint.parent(), null);
    }

    private static JsonNode state(UUID id, ObjectNode values, Map<String, String> versions, ObjectNode body) {
        ObjectNode state = JsonNodeFactory.instance.objectNode();
        state.set("values", values);
        ObjectNode byChannel = state.putObject("versions");
        versions.forEach(byChannel::put);
        ArrayNode next = state.putArray("next");
        body.path("tasks").forEach(task -> next.add(task.path("name")));
        state.set("tasks", body.path("tasks"));
        state.putObject("checkpoint").put("ns", "").put("id", id.toString());
        return state;
    }
}
