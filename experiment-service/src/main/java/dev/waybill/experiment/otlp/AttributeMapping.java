package dev.waybill.experiment.otlp;

import org.jspecify.annotations.Nullable;

/**
 * One row of the table: an attribute and what it becomes.
 *
 * @param attribute its name, or with {@code .*} at its end all that begin so
 * @param target what it becomes
 * @param name for metadata and parameters the member's name; null when it is the rest of the attribute's name, or the value is
 *        an
 *        object whose members these are
 */
record AttributeMapping(String attribute, MappingTarget target, @Nullable String name) {

    /** Whether it speaks of all attributes that begin with {@link #prefix()}. */
    boolean isFamily() {
        return attribute.endsWith(".*");
    }

    /** Returns whether its texts are JSON, strings included. */
    boolean isJson() {
        return attribute.startsWith("ai.") || attribute.startsWith("traceloop.entity.");
    }

    /** The beginning of its family's names, with the dot. */
    String prefix() {
        return attribute.substring(0, attribute.length() - 1);
    }

    /** What it becomes, for the documentation. */
    String becomes() {
        if (name != null) {
            return "`" + target.description().replace("`", "") + "." + name + "`";
        }
        return switch (target) {
            case METADATA, INVOCATION_PARAMETERS -> target.description()
                    + (isFamily() ? ", under the rest of the name" : ": the members of a JSON object");
            case INPUT_MESSAGES, OUTPUT_MESSAGES, OUTPUT_DOCUMENTS -> target.description()
                    + (isFamily() ? ", put together by number" : "");
            default -> target.description();
        };
    }
}
