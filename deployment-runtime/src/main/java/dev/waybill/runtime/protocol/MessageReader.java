package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;

import dev.waybill.runtime.protocol.Message.Step;

/**
 * Parses lines of the worker protocol. The data of an event is validated and copied from the line, not parsed to a tree and
 * written again.
 */
public final class MessageReader {

    static final Set<String> MODES = Set.of("values", "updates", "messages", "custom", "events", "debug", "tasks",
            "checkpoints");
    private static final Pattern NAMESPACE = Pattern.compile("[^\\p{Cntrl}|]{1,200}");
    private static final int MAX_NESTING_DEPTH = 500;
    private static final int MAX_PRINT_LENGTH = 2000;

    private final ObjectMapper mapper;

    public MessageReader(int maxLineSize) {
        this.mapper = new ObjectMapper(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_NESTING_DEPTH)
                        .maxStringLength(maxLineSize)
                        .maxNumberLength(1_000)
                        .build())
                .build());
    }

    /** Parses a complete line. */
    public Message read(byte[] bytes, int start, int length) {
        Message event = FastEventParser.read(bytes, start, length);
        return event == null ? parse(bytes, start, length) : event;
    }

    /** Parses a complete line of any form. */
    Message parse(byte[] bytes, int start, int length) {
        int first = start;
        while (first < start + length && bytes[first] <= ' ') {
            first++;
        }
        if (first == start + length) {
            return new Message.Unknown();
        }
        if (bytes[first] != '{') {
            return new Message.Print(new String(bytes, start, Math.min(length, MAX_PRINT_LENGTH), StandardCharsets.UTF_8));
        }
        Fields fields = new Fields();
        try (JsonParser parser = mapper.getFactory().createParser(bytes, start, length)) {
            parser.nextToken();
            members(parser, fields, bytes, start);
            if (parser.nextToken() != null) {
                return new Message.Invalid("more than one message on a line", fields.run, fields.id);
            }
            return fields.message(length);
        } catch (JacksonException e) {
            return new Message.Invalid("a line that is not JSON: " + e.getOriginalMessage(), fields.run, fields.id);
        } catch (IOException e) {
            return new Message.Invalid("a line that is not JSON", fields.run, fields.id);
        }
    }

    /** Parses the prefix of a line that is too long, to find out which run it belongs to. */
    public Message readPrefix(byte[] bytes, int start, int length, int maxLineSize) {
        Message prefix = read(bytes, start, length);
        return prefix instanceof Message.Invalid(String ignored, UUID run, Long id)
                ? new Message.Invalid("a line of more than " + maxLineSize + " bytes", run, id)
                : prefix;
    }

    private void members(JsonParser parser, Fields fields, byte[] bytes, int start) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "method" -> fields.method = parser.getValueAsString();
                case "id" -> fields.id = parser.currentToken() == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : null;
                case "result" -> fields.result = mapper.readTree(parser);
                case "error" -> fields.error = mapper.readTree(parser);
                case "params" -> params(parser, fields, bytes, start);
                default -> skip(parser);
            }
            // Skips values of an unexpected type, so that their members are not read as members of this object.
            parser.skipChildren();
        }
    }

    private void params(JsonParser parser, Fields fields, byte[] bytes, int start) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            skip(parser);
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (name) {
                case "run" -> fields.run = uuid(parser.getValueAsString());
                case "mode" -> fields.mode = parser.getValueAsString();
                case "namespace" -> fields.namespace = token == JsonToken.START_ARRAY ? mapper.readTree(parser) : null;
                case "data" -> fields.data = slice(parser, bytes, start);
                default -> {
                    if (!fields.step().read(name, parser, () -> slice(parser, bytes, start))) {
                        skip(parser);
                    }
                }
            }
            parser.skipChildren();
        }
    }

    private static byte[] slice(JsonParser parser, byte[] bytes, int start) throws IOException {
        int from = start + (int) parser.currentTokenLocation().getByteOffset();
        skip(parser);
        int to = start + (int) parser.currentLocation().getByteOffset();
        byte[] data = Arrays.copyOfRange(bytes, from, to);
        // A carriage return between tokens is white space in JSON but a line end in server-sent events.
        for (int i = 0; i < data.length; i++) {
            if (data[i] == '\r') {
                data[i] = ' ';
            }
        }
        return data;
    }

    private static void skip(JsonParser parser) throws IOException {
        parser.skipChildren();
        parser.finishToken();
    }

    private static @Nullable UUID uuid(@Nullable String text) {
        return text != null && isUuid(text) ? UUID.fromString(text) : null;
    }

    // Faster than catching the exception of UUID.fromString; every event has a UUID.
    private static boolean isUuid(String text) {
        boolean valid = text.length() == 36;
        for (int i = 0; valid && i < 36; i++) {
            char c = text.charAt(i);
            valid = i == 8 || i == 13 || i == 18 || i == 23 ? c == '-' : HexFormat.isHexDigit(c);
        }
        return valid;
    }

    /** The members of a message that the protocol defines, in any order. */
    private static final class Fields {

        private @Nullable String method;
        private @Nullable Long id;
        private @Nullable JsonNode result;
        private @Nullable JsonNode error;
        private @Nullable UUID run;
        private @Nullable String mode;
        private @Nullable JsonNode namespace;
        private byte @Nullable [] data;
        private @Nullable StepReader step;

        // Created lazily: events have no step.
        StepReader step() {
            StepReader reader = step;
            if (reader == null) {
                reader = new StepReader();
                step = reader;
            }
            return reader;
        }

        Message message(int length) {
            if ("run/event".equals(method)) {
                return event(length);
            }
            if ("run/step".equals(method)) {
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
                            error.path("message").asText("The worker gave no reason."));
        }

        private Message event(int length) {
            if (run == null || mode == null || data == null) {
                return new Message.Invalid("an event without run, mode or data", run, id);
            }
            if (!MODES.contains(mode)) {
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
            return new Message.Event(run, mode, path.toString(), data, length);
        }
    }
}
