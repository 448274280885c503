package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.time.Timestamps;

/** Gathers the members of a step as they come by. */
final class StepReader {

    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_ERROR = 2_000;

    private @Nullable String id;
    private @Nullable String parent;
    private @Nullable String name;
    private @Nullable String runType;
    private @Nullable String error;
    private @Nullable Instant start;
    private @Nullable Instant end;
    private @Nullable Instant firstToken;
    private byte @Nullable [] inputs;
    private byte @Nullable [] outputs;
    private byte @Nullable [] metadata;

    /** Cuts the value that the parser stands on out of the line. */
    interface Cut {
        byte[] value() throws IOException;
    }

    /** Takes the member whose value the parser stands on; false when it is none of a step. */
    boolean take(String member, JsonParser parser, Cut cut) throws IOException {
        switch (member) {
            case "id" -> id = text(parser, LONGEST_NAME);
            case "parent_id" -> parent = text(parser, LONGEST_NAME);
            case "name" -> name = text(parser, LONGEST_NAME);
            case "run_type" -> runType = text(parser, LONGEST_NAME);
            case "error" -> error = text(parser, LONGEST_ERROR);
            case "start_time" -> start = time(parser);
            case "end_time" -> end = time(parser);
            case "first_token_time" -> firstToken = time(parser);
            case "inputs" -> inputs = json(parser, cut);
            case "outputs" -> outputs = json(parser, cut);
            case "metadata" -> metadata = parser.currentToken() == JsonToken.START_OBJECT ? cut.value() : null;
            default -> {
                return false;
            }
        }
        // What was of another type than it should be.
        parser.skipChildren();
        return true;
    }

    /** The step, or null when it does not say which. */
    @Nullable
    Step step(int cost) {
        return id == null || id.isEmpty()
                ? null
                : new Step(id, parent, name, runType, new Step.Times(start, end, firstToken), inputs, outputs, metadata, error,
                        cost);
    }

    private static byte @Nullable [] json(JsonParser parser, Cut cut) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NULL ? null : cut.value();
    }

    private static @Nullable String text(JsonParser parser, int longest) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return null;
        }
        String text = parser.getText();
        return text.length() <= longest ? text : text.substring(0, longest);
    }

    private static @Nullable Instant time(JsonParser parser) throws IOException {
        try {
            return parser.currentToken().isNumeric() ? Timestamps.ofEpochMillis(parser.getDoubleValue()) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
