package dev.waybill.runtime.run;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;

/** Results of runs on threads as they are stored, from the worker's response (docs/worker-protocol-threads.md). */
public final class ThreadResults {

    /** Channel of a state that is no object. */
    private static final String ROOT = "";

    private ThreadResults() {
    }

    /**
     * Returns the end of a run.
     *
     * @param state state of the thread; null if the worker sent none, so that the thread's values remain
     * @param head the thread at the start of the run
     */
    public static RunEnd of(Run.End end, @Nullable JsonNode state, ThreadHead head) {
        RunError error = end.error();
        boolean failed = end.status() == RunStatus.ERROR || end.status() == RunStatus.TIMEOUT;
        boolean interrupted = end.status() == RunStatus.SUCCESS && state != null && !state.path("next").isEmpty();
        ThreadStatus thread = failed ? ThreadStatus.ERROR : interrupted ? ThreadStatus.INTERRUPTED : ThreadStatus.IDLE;
        return new RunEnd(Status.valueOf(end.status().name()), failed && error != null ? error.toJson().toString() : null,
                thread, state == null ? null : state(state, head, interrupted), false);
    }

    private static State state(JsonNode state, ThreadHead head, boolean interrupted) {
        Map<String, ChannelValue> values = new HashMap<>();
        Set<String> channels = new HashSet<>();
        for (Map.Entry<String, JsonNode> version : state.path("versions").properties()) {
            String channel = version.getKey();
            JsonNode value = channel.equals(ROOT) && state.has("root") ? state.get("root") : state.path("values").get(channel);
            if (value != null) {
                values.put(channel, new ChannelValue(version.getValue().asText(), value.toString()));
                channels.add(channel);
            } else if (version.getValue().asText().equals(head.versions().get(channel))) {
                channels.add(channel);
            }
        }
        JsonNode checkpoint = state.at("/checkpoint/id");
        return new State(values, channels, interrupted ? interrupts(state) : "{}",
                checkpoint.isTextual() ? UUID.fromString(checkpoint.textValue()) : null);
    }

    private static String interrupts(JsonNode state) {
        ObjectNode interrupts = JsonNodeFactory.instance.objectNode();
        for (JsonNode task : state.path("tasks")) {
            if (!task.path("interrupts").isEmpty()) {
                interrupts.set(task.path("id").asText(), task.get("interrupts"));
            }
        }
        return interrupts.toString();
    }
}
