package dev.waybill.runtime.event;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

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
    CHECKPOINTS("checkpoints", "checkpoints"),
    /** Calls of tools: start, parts of the output, end or error. */
    TOOLS("tools", "tools");

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

    /** Validates that {@code stream_mode} is the name of a mode or a list of names. */
    @Constraint(validatedBy = ValidStreamModes.Check.class)
    @Target(ElementType.FIELD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface ValidStreamModes {

        String message() default "must be one or a list of values, updates, messages, messages-tuple, custom, events, debug, tasks,"
                + " checkpoints, tools";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};

        /** Parses the modes. */
        public final class Check implements ConstraintValidator<ValidStreamModes, JsonNode> {

            @Override
            public boolean isValid(@Nullable JsonNode value, ConstraintValidatorContext context) {
                return parse(value).isPresent();
            }

            /** Returns the modes, {@code values} by default; empty if one is unknown. */
            public static Optional<Set<StreamMode>> parse(@Nullable JsonNode value) {
                if (value == null || value.isNull() || (value.isArray() && value.isEmpty())) {
                    return Optional.of(EnumSet.of(StreamMode.VALUES));
                }
                JsonNode names = value.isArray() ? value : JsonNodeFactory.instance.arrayNode().add(value);
                Set<StreamMode> modes = EnumSet.noneOf(StreamMode.class);
                for (JsonNode name : names) {
                    Optional<StreamMode> mode = name.isTextual() ? StreamMode.parse(name.textValue()) : Optional.empty();
                    if (mode.isEmpty()) {
                        return Optional.empty();
                    }
                    modes.add(mode.get());
                }
                return Optional.of(modes);
            }
        }
    }
}
