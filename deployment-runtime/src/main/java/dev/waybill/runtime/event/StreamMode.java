package dev.waybill.runtime.event;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Kinds of events that a stream can carry (contract.md "Deployed application"). */
public enum StreamMode {
    VALUES("values", "values"),
    UPDATES("updates", "updates"),
    /** Messages in progress; each event carries the accumulated message. */
    MESSAGES("messages", "messages"),
    /** The chunks of messages. */
    MESSAGES_TUPLE("messages-tuple", "messages"),
    CUSTOM("custom", "custom"),
    EVENTS("events", "events"),
    DEBUG("debug", "debug"),
    TASKS("tasks", "tasks"),
    CHECKPOINTS("checkpoints", "checkpoints");

    private static final Map<String, StreamMode> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(mode -> mode.wireName, mode -> mode));

    private final String wireName;
    private final String workerMode;

    StreamMode(String wireName, String workerMode) {
        this.wireName = wireName;
        this.workerMode = workerMode;
    }

    /** Returns the mode with the name. */
    public static Optional<StreamMode> parse(String wireName) {
        return Optional.ofNullable(BY_NAME.get(wireName));
    }

    /** Returns the mode of the worker's events that this mode is made of. */
    public String workerMode() {
        return workerMode;
    }

    @Override
    public String toString() {
        return wireName;
    }
}
