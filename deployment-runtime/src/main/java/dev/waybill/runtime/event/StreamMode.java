package dev.waybill.runtime.event;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a stream tells of a run (contract.md "Deployed application"). */
public enum StreamMode {
    VALUES("values", "values"),
    UPDATES("updates", "updates"),
    /** Messages as they grow, each event with the message so far. */
    MESSAGES("messages", "messages"),
    /** The pieces of messages, as they come. */
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

    /** The mode of that name, if there is one. */
    public static Optional<StreamMode> parse(String wireName) {
        return Optional.ofNullable(BY_NAME.get(wireName));
    }

    /** What a worker calls what this mode is made of. */
    public String workerMode() {
        return workerMode;
    }

    @Override
    public String toString() {
        return wireName;
    }
}
