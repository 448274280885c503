package dev.waybill.runtime.protocol;

import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;

import dev.waybill.runtime.protocol.Message.Step;

/** The members of a message that the protocol defines, in any order. */
final class MessageFields {

    private static final String EVENT = "run/event";
    private static final String STEP = "run/step";
    private static final Pattern NAMESPACE = Pattern.compile("[^\\p{Cntrl}|]{1,200}");

    @Nullable
    String method;
    @Nullable
    Long id;
    @Nullable
    JsonNode result;
    @Nullable
    JsonNode error;
    @Nullable
    UUID run;
    @Nullable
    String mode;
    @Nullable
    JsonNode namespace;
    /** Data of an event, or params of a request. */
    byte @Nullable [] data;
    /** Object that names the checkpoint of an event's values. */
    byte @Nullable [] checkpoint;
    /** Whether the data has begun, so that all members before it were read. */
    boolean hasData;
    private @Nullable StepReader step;

    /** Returns whether the method is not one of version 1. */
    boolean isOfVersion2() {
        return method != null && !method.equals(EVENT) && !method.equals(STEP);
    }

    /** Returns the reader of the step; created lazily, because events have no step. */
    StepReader step() {
        StepReader reader = step;
        if (reader == null) {
            reader = new StepReader();
            step = reader;
        }
        return reader;
    }

    /** Returns the message that the members form; its cost is the length of its line. */
    Message message(int length) {
        if (EVENT.equals(method)) {
            return event(data, length);
        }
        if (STEP.equals(method)) {
            Step step = step().step(length);
            return run == null || step == null
                    ? new Message.Invalid("a step without run or id", run, id)
                    : new Message.StepReport(run, step);
        }
        if (method != null) {
            return new Message.Unknown();
        }
        if (id == null) {
            return new Message.Invalid("a message without method and id", run, id);
        }
        return error == null || error.isNull()
                ? new Message.Result(id, result == null ? NullNode.getInstance() : result)
                : new Message.Failure(id, error.path("code").asInt(), error.path("data").path("error").textValue(),
                        error.path("message").asText("The worker gave no reason."), error.path("data").get("state"));
    }

    /** Returns the event of which only the members before its data are available; null if they do not identify it. */
    @Nullable
    Message omitted(int length) {
        if (!EVENT.equals(method) || !hasData) {
            return null;
        }
        return event(new byte[0], length) instanceof Message.Event event
                ? new Message.OmittedEvent(event.run(), event.mode(), event.namespace(), length)
                : null;
    }

    private Message event(byte @Nullable [] data, int length) {
        if (run == null || mode == null || data == null) {
            return new Message.Invalid("an event without run, mode or data", run, id);
        }
        if (!MessageReader.MODES.contains(mode)) {
            return new Message.Invalid("an event of a mode that is not known", run, id);
        }
        StringBuilder path = new StringBuilder();
        if (namespace != null) {
            for (JsonNode part : namespace) {
                if (!part.isTextual() || !NAMESPACE.matcher(part.textValue()).matches()) {
                    return new Message.Invalid("an event whose namespace has control characters, '|' or no text", run, id);
                }
                path.append('|').append(part.textValue());
            }
        }
        byte[] named = checkpoint;
        boolean isNamed = named != null && named.length <= MessageReader.MAX_CHECKPOINT && MessageReader.VALUES.equals(mode);
        return new Message.Event(run, mode, path.toString(), data, isNamed ? named : null, length);
    }
}
