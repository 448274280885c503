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

/**
 * Understands lines of the worker protocol. An event's data is not built up and written anew: it is cut out of the line, once
 * the parser has gone over it and found it to be JSON.
 */
public final class MessageReader {

    static final Set<String> MODES = Set.of("values", "updates", "messages", "custom", "events", "debug", "tasks",
            "checkpoints");
    private static final Pattern NAMESPACE = Pattern.compile("[^\\p{Cntrl}|]{1,200}");
    private static final int DEEPEST_NESTING = 500;
    private static final int SHOWN_PRINT = 2000;

    private final ObjectMapper mapper;

    public MessageReader(int longestLine) {
        this.mapper = new ObjectMapper(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEEPEST_NESTING)
                        .maxStringLength(longestLine)
                        .maxNumberLength(1_000)
                        .build())
                .build());
    }

    /** The message on a whole line. */
    public Message read(byte[] bytes, int start, int length) {
        Message usual = EventLine.read(bytes, start, length);
        return usual == null ? parse(bytes, start, length) : usual;
    }

    /** The same, whatever is on the line. */
    Message parse(byte[] bytes, int start, int length) {
        int first = start;
        while (first < start + length && bytes[first] <= ' ') {
            first++;
        }
        if (first == start + length) {
            return new Message.Unknown();
        }
        if (bytes[first] != '{') {
            return new Message.Print(new String(bytes, start, Math.min(length, SHOWN_PRINT), StandardCharsets.UTF_8));
        }
        Fields fields = new Fields();
        try (JsonParser parser = mapper.getFactory().createParser(bytes, start, length)) {
            parser.nextToken();
            members(parser, fields, bytes, start);
            if (parser.nextToken() != null) {
                return new Message.Broken("more than one message on a line", fields.run, fields.id);
            }
            return fields.message(length);
        } catch (JacksonException e) {
            return new Message.Broken("a line that is not JSON: " + e.getOriginalMessage(), fields.run, fields.id);
        } catch (IOException e) {
            return new Message.Broken("a line that is not JSON", fields.run, fields.id);
        }
    }

    /** What can be said of a line of which only the beginning is there. */
    public Message readBeginning(byte[] bytes, int start, int length, int longest) {
        Message beginning = read(bytes, start, length);
        return beginning instanceof Message.Broken(String ignored, UUID run, Long id)
                ? new Message.Broken("a line of more than " + longest + " bytes", run, id)
                : beginning;
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
            // What is of another type than it should be must not be taken for members of what it stands in.
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
                    if (!fields.step().take(name, parser, () -> slice(parser, bytes, start))) {
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
        // Between tokens only, where it is white space to JSON but the end of a line to a reader of event streams.
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

    // By hand, because every event has one.
    private static boolean isUuid(String text) {
        boolean is = text.length() == 36;
        for (int i = 0; is && i < 36; i++) {
            char c = text.charAt(i);
            is = i == 8 || i == 13 || i == 18 || i == 23 ? c == '-' : HexFormat.isHexDigit(c);
        }
        return is;
    }

    /** The members of a message that mean something to the protocol, in whatever order they came. */
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

        // Events have none.
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
                Step told = step().step(length);
                return run == null || told == null
                        ? new Message.Broken("a step without run or id", run, id)
                        : new Message.Told(run, told);
            }
            if (method != null) {
                return new Message.Unknown();
            }
            if (id == null) {
                return new Message.Broken("a message without method and id", run, id);
            }
            return error == null || error.isNull()
                    ? new Message.Result(id, result == null ? NullNode.getInstance() : result)
                    : new Message.Failure(id, error.path("code").asInt(), error.path("data").path("error").textValue(),
                            error.path("message").asText("The worker gave no reason."));
        }

        private Message event(int length) {
            if (run == null || mode == null || data == null) {
                return new Message.Broken("an event without run, mode or data", run, id);
            }
            if (!MODES.contains(mode)) {
                return new Message.Broken("an event of a mode that is not known", run, id);
            }
            StringBuilder path = new StringBuilder();
            if (namespace != null) {
                for (JsonNode step : namespace) {
                    if (!step.isTextual() || !NAMESPACE.matcher(step.textValue()).matches()) {
                        return new Message.Broken("an event whose namespace has control characters, '|' or no text", run, id);
                    }
                    path.append('|').append(step.textValue());
                }
            }
            return new Message.Event(run, mode, path.toString(), data, length);
        }
    }
}
