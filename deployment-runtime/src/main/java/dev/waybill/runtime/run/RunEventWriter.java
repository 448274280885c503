package dev.waybill.runtime.run;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.event.MessageAssembler;
import dev.waybill.runtime.event.StreamMode;

/** Converts a worker's events to the events of the run's stream modes, and adds the first and the last event. */
final class RunEventWriter {

    private final EventLog log;
    private final Set<StreamMode> modes;
    private final MessageAssembler messages = new MessageAssembler();
    private volatile boolean omittedValues;

    RunEventWriter(EventLog log, Set<StreamMode> modes) {
        this.log = log;
        this.modes = modes;
    }

    EventLog log() {
        return log;
    }

    boolean include(StreamMode mode) {
        return modes.contains(mode);
    }

    /** Appends the first event of an attempt, with the run's id. */
    void announce(UUID run, int attempt) {
        log.append("metadata",
                Json.bytes(JsonNodeFactory.instance.objectNode().put("run_id", run.toString()).put("attempt", attempt)),
                0, false);
    }

    /** @return credit to release immediately */
    int add(String mode, String namespace, byte[] json, int cost) {
        boolean isMessage = mode.equals("messages");
        List<MessageAssembler.Part> parts = modes.contains(StreamMode.MESSAGES) ? parts(mode, namespace, json) : List.of();
        boolean verbatim = isMessage
                ? modes.contains(StreamMode.MESSAGES_TUPLE)
                : StreamMode.parse(mode).filter(modes::contains).isPresent();
        int released = 0;
        for (int i = 0; i < parts.size(); i++) {
            // The cost of the worker's event is assigned to the last of its frames.
            int share = !verbatim && i == parts.size() - 1 ? cost : 0;
            released += append(parts.get(i), share);
        }
        if (verbatim) {
            released += log.append(mode + namespace, json, cost, false);
        } else if (parts.isEmpty()) {
            released += cost;
        }
        return released;
    }

    /**
     * Adds values and the name of their checkpoint, which is no event of its own: only channels of threads have it.
     *
     * @return credit to release immediately
     */
    int addValues(String namespace, byte[] json, byte[] checkpoint, int cost) {
        return modes.contains(StreamMode.VALUES)
                ? log.append(StreamMode.VALUES.workerMode() + namespace, json, checkpoint, cost)
                : cost;
    }

    /**
     * Appends that an event is missing because it was too large.
     *
     * @return credit to release immediately
     */
    int omit(String mode, String namespace, int cost) {
        if (modes.stream().noneMatch(included -> included.workerMode().equals(mode))) {
            return cost;
        }
        if (mode.equals(StreamMode.VALUES.workerMode()) && namespace.isEmpty()) {
            omittedValues = true;
        }
        return log.append("omitted",
                Json.bytes(JsonNodeFactory.instance.objectNode().put("event", mode + namespace).put("bytes", cost)), cost,
                false);
    }

    private List<MessageAssembler.Part> parts(String mode, String namespace, byte[] json) {
        return switch (mode) {
            case "messages" -> messages.add(Json.parse(json), namespace);
            case "updates" -> messages.hasIncomplete() ? messages.completeFrom(Json.parse(json)) : List.of();
            default -> List.of();
        };
    }

    /** Completes all messages at the end of the worker's events. */
    void completeMessages() {
        messages.complete().forEach(part -> append(part, 0));
    }

    /**
     * Appends the last event: {@code end}, or {@code error} if the run failed. Before the end, the final values replace values
     * that were omitted: the result of a run may be larger than an event.
     */
    void end(@Nullable RunError error, @Nullable JsonNode values) {
        if (error == null) {
            if (omittedValues && values != null && !values.isMissingNode() && !values.isNull()) {
                log.append("values", Json.bytes(values), 0, false);
            }
            log.append("end", Json.bytes(NullNode.getInstance()), 0, true);
        } else {
            log.append("error", Json.bytes(error.toJson()), 0, true);
        }
    }

    private int append(MessageAssembler.Part part, int cost) {
        String messageId = part.messageId();
        byte[] data = Json.bytes(part.data());
        return messageId == null
                ? log.append(part.event(), data, cost, false)
                : log.appendReplacing(messageId, part.event(), data, cost);
    }
}
