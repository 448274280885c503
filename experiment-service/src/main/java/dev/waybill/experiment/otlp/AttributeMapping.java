package dev.waybill.experiment.otlp;

import org.jspecify.annotations.Nullable;

/**
 * One row of the mapping table: an attribute and its target in a run.
 *
 * @param attribute the attribute's name; {@code .*} at its end matches all names with this prefix
 * @param target the member of the run
 * @param name for metadata and parameters the member's name; null if it is the rest of the attribute's name, or the members
 *        are those of the value, an object
 */
record AttributeMapping(String attribute, MappingTarget target, @Nullable String name) {

    /** Returns whether it matches all attributes with {@link #prefix()}. */
    boolean isPrefix() {
        return attribute.endsWith(".*");
    }

    /** Returns whether its strings are JSON, including strings within. */
    boolean isJson() {
        return attribute.startsWith("ai.") || attribute.startsWith("traceloop.entity.");
    }

    /** Returns the prefix of the matched names, with the dot. */
    String prefix() {
        return attribute.substring(0, attribute.length() - 1);
    }

    /** Describes the target for the documentation. */
    String describe() {
        if (name != null) {
            return "`" + target.description().replace("`", "") + "." + name + "`";
        }
        return switch (target) {
            case METADATA, INVOCATION_PARAMETERS -> target.description()
                    + (isPrefix() ? ", under the rest of the name" : ": the members of a JSON object");
            case INPUT_MESSAGES, OUTPUT_MESSAGES, OUTPUT_DOCUMENTS -> target.description()
                    + (isPrefix() ? ", assembled by index" : "");
            default -> target.description();
        };
    }
}
