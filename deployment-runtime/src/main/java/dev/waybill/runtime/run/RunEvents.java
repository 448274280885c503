package dev.waybill.runtime.run;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.event.MessageAssembly;
import dev.waybill.runtime.event.StreamMode;

/**
 * What a worker tells of a run, made into the events that the run's stream modes ask for, between its first event and its last.
 */
final class RunEvents {

    private final EventLog log;
    private final Set<StreamMode> modes;
    private final MessageAssembly messages = new MessageAssembly();

    RunEvents(EventLog log, Set<StreamMode> modes) {
        this.log = log;
        this.modes = modes;
    }

    EventLog log() {
        return log;
    }

    boolean include(StreamMode mode) {
        return modes.contains(mode);
    }

    /** The first: that there is such a run. */
    void announce(UUID run) {
        log.append("metadata",
                Json.bytes(JsonNodeFactory.instance.objectNode().put("run_id", run.toString()).put("attempt", 1)),
                0, false);
    }

    /** @return what can be handed back at once */
    int add(String mode, String namespace, byte[] json, int cost) {
        boolean ofMessages = mode.equals("messages");
        List<MessageAssembly.Part> parts = modes.contains(StreamMode.MESSAGES) ? parts(mode, namespace, json) : List.of();
        boolean asIs = ofMessages
                ? modes.contains(StreamMode.MESSAGES_TUPLE)
                : StreamMode.parse(mode).filter(modes::contains).isPresent();
        int released = 0;
        for (int i = 0; i < parts.size(); i++) {
            // The last of an event's frames carries what it cost.
            int share = !asIs && i == parts.size() - 1 ? cost : 0;
            released += append(parts.get(i), share);
        }
        if (asIs) {
            released += log.append(mode + namespace, json, cost, false);
        } else if (parts.isEmpty()) {
            released += cost;
        }
        return released;
    }

    private List<MessageAssembly.Part> parts(String mode, String namespace, byte[] json) {
        return switch (mode) {
            case "messages" -> messages.add(Json.parse(json), namespace);
            case "updates" -> messages.isGrowing() ? messages.updated(Json.parse(json)) : List.of();
            default -> List.of();
        };
    }

    /** Nothing more comes of the worker. */
    void completeMessages() {
        messages.complete().forEach(part -> append(part, 0));
    }

    /** The last: that it went through, or what went wrong. */
    void end(@Nullable RunError error) {
        if (error == null) {
            log.append("end", Json.bytes(NullNode.getInstance()), 0, true);
        } else {
            log.append("error", Json.bytes(RunErrors.json(error)), 0, true);
        }
    }

    private int append(MessageAssembly.Part part, int cost) {
        String growing = part.growing();
        byte[] data = Json.bytes(part.data());
        return growing == null
                ? log.append(part.event(), data, cost, false)
                : log.appendNewer(growing, part.event(), data, cost);
    }
}
