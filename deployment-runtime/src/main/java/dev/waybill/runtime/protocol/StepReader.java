package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.time.Timestamps;
import dev.waybill.runtime.protocol.Message.Step;

/** Collects the members of a step while a message is parsed. */
final class StepReader {

    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_ERROR_LENGTH = 2_000;

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

    /** Copies the parser's current value from the line. */
    interface RawValue {
        byte[] value() throws IOException;
    }

    /** Reads the member at the parser's position; returns false if it does not belong to a step. */
    boolean read(String member, JsonParser parser, RawValue rawValue) throws IOException {
        switch (member) {
            case "id" -> id = text(parser, MAX_NAME_LENGTH);
            case "parent_id" -> parent = text(parser, MAX_NAME_LENGTH);
            case "name" -> name = text(parser, MAX_NAME_LENGTH);
            case "run_type" -> runType = text(parser, MAX_NAME_LENGTH);
            case "error" -> error = text(parser, MAX_ERROR_LENGTH);
            case "start_time" -> start = time(parser);
            case "end_time" -> end = time(parser);
            case "first_token_time" -> firstToken = time(parser);
            case "inputs" -> inputs = json(parser, rawValue);
            case "outputs" -> outputs = json(parser, rawValue);
            case "metadata" -> metadata = parser.currentToken() == JsonToken.START_OBJECT ? rawValue.value() : null;
            default -> {
                return false;
            }
        }
        // Skips values of an unexpected type.
        parser.skipChildren();
        return true;
    }

    /** Returns the step, or null without an id. */
    @Nullable
    Step step(int cost) {
        return id == null || id.isEmpty()
                ? null
                : new Step(id, parent, name, runType, new Step.Times(start, end, firstToken), inputs, outputs, metadata,
                        error,
                        cost);
    }

    private static byte @Nullable [] json(JsonParser parser, RawValue rawValue) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NULL ? null : rawValue.value();
    }

    private static @Nullable String text(JsonParser parser, int maxLength) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return null;
        }
        String text = parser.getText();
        return text.length() <= maxLength ? text : text.substring(0, maxLength);
    }

    private static @Nullable Instant time(JsonParser parser) throws IOException {
        try {
            return parser.currentToken().isNumeric() ? Timestamps.ofEpochMillis(parser.getDoubleValue()) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
