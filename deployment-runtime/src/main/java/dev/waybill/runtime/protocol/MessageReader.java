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
 * Parses lines of the worker protocol. The data of an event and the params of a request are validated and copied from the
 * line, not parsed to a tree and written again. Used by one thread at a time.
 */
public final class MessageReader {

    static final String VALUES = "values";
    /** Maximum size of the name of a checkpoint: all readers of a run get it. Longer ones are ignored. */
    static final int MAX_CHECKPOINT = 1 << 10;
    static final Set<String> MODES = Set.of(VALUES, "updates", "messages", "custom", "events", "debug", "tasks",
            "checkpoints", "tools");
    private static final Pattern REQUEST = Pattern.compile("(checkpoint|blob|store|result)/.*");
    private static final int MAX_NESTING_DEPTH = 500;
    private static final int MAX_PRINT_LENGTH = 2000;
    /** The sum of the costs of a run's events is an integer. */
    private static final int MAX_OMITTED = 1 << 30;

    private final ObjectMapper mapper;
    private boolean acceptsRequests;

    public MessageReader(int maxLineSize) {
        this.mapper = new ObjectMapper(jsonFactory(maxLineSize));
    }

    /** Returns a factory of parsers with limits for the lines of a worker. */
    static JsonFactory jsonFactory(int maxLineSize) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_NESTING_DEPTH)
                        .maxStringLength(maxLineSize)
                        .maxNumberLength(1_000)
                        .build())
                .build();
    }

    /** Parses a result that was sent in parts; throws if it is not JSON. */
    public static JsonNode parseResult(byte[] json) throws IOException {
        return new ObjectMapper(jsonFactory(json.length)).readTree(json);
    }

    /** Reads messages with method and id as requests from now on, because the worker has version 2 of the protocol. */
    public void acceptRequests() {
        acceptsRequests = true;
    }

    /** Parses a complete line. */
    public Message read(byte[] bytes, int start, int length) {
        Message message = FastMessageParser.read(bytes, start, length);
        if (message == null && acceptsRequests) {
            message = FastMessageParser.readRequest(bytes, start, length);
        }
        return message == null ? parse(bytes, start, length) : message;
    }

    /** Parses a complete line of any form. */
    Message parse(byte[] bytes, int start, int length) {
        return parse(new MessageFields(), bytes, start, length);
    }

    private Message parse(MessageFields fields, byte[] bytes, int start, int length) {
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
        return parseObject(fields, false, bytes, start, length);
    }

    /** @param again whether the line is read for the second time */
    private Message parseObject(MessageFields fields, boolean again, byte[] bytes, int start, int length) {
        try (JsonParser parser = mapper.getFactory().createParser(bytes, start, length)) {
            parser.nextToken();
            boolean complete = members(parser, fields, bytes, start);
            if (parser.nextToken() != null) {
                return invalid("more than one message on a line", fields);
            }
            if (again && !complete) {
                return invalid("a request with two methods", fields);
            }
            if (acceptsRequests && fields.isOfVersion2()) {
                return request(fields, complete, bytes, start, length);
            }
            Message message = fields.message(length);
            return acceptsRequests && message instanceof Message.Invalid broken ? invalid(broken.reason(), fields) : message;
        } catch (JacksonException e) {
            return invalid("a line that is not JSON: " + e.getOriginalMessage(), fields);
        } catch (IOException e) {
            return invalid("a line that is not JSON", fields);
        }
    }

    private Message request(MessageFields fields, boolean complete, byte[] bytes, int start, int length) {
        String method = fields.method;
        Long id = fields.id == null && Message.Call.LAST.equals(method) ? Long.valueOf(Message.Call.NO_RESPONSE) : fields.id;
        if (method == null || id == null) {
            return method == null || !REQUEST.matcher(method).matches()
                    ? new Message.Unknown()
                    : invalid("a request without a numeric id", fields);
        }
        if (!complete) {
            // The params preceded the method: reads the line again with the known method.
            MessageFields again = new MessageFields();
            again.method = method;
            return parseObject(again, true, bytes, start, length);
        }
        byte[] params = fields.data;
        return params == null
                ? invalid("a request whose params are no object", fields)
                : new Message.Call(id, fields.run, method, params, length);
    }

    private Message.Invalid invalid(String reason, MessageFields fields) {
        // A line of version 2 may be a request of the worker, whose id is not one of the runtime's.
        boolean response = !acceptsRequests || fields.method == null && (fields.result != null || fields.error != null);
        return new Message.Invalid(reason, fields.run, response ? fields.id : null);
    }

    /**
     * Parses the prefix of a line that is too long, to find out which run it belongs to. An event is omitted, if the prefix has
     * all of its members but the data.
     *
     * @param lineLength length of the whole line
     */
    public Message readPrefix(byte[] bytes, int start, int length, int maxLineSize, long lineLength) {
        MessageFields fields = new MessageFields();
        Message prefix = parse(fields, bytes, start, length);
        if (!(prefix instanceof Message.Invalid(String ignored, UUID run, Long id))) {
            return prefix;
        }
        Message omitted = lineLength > MAX_OMITTED ? null : fields.omitted((int) lineLength);
        return omitted == null ? new Message.Invalid("a line of more than " + maxLineSize + " bytes", run, id) : omitted;
    }

    /** Reads all members; returns false for a request whose params were read before its method was known. */
    private boolean members(JsonParser parser, MessageFields fields, byte[] bytes, int start) throws IOException {
        boolean complete = true;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "method" -> fields.method = parser.getValueAsString();
                case "id" -> fields.id = parser.currentToken() == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : null;
                case "result" -> {
                    // Set first: the member identifies a response even if its value is incomplete.
                    fields.result = NullNode.getInstance();
                    fields.result = mapper.readTree(parser);
                }
                case "error" -> {
                    fields.error = NullNode.getInstance();
                    fields.error = mapper.readTree(parser);
                }
                case "params" -> {
                    complete = acceptsRequests && fields.isOfVersion2();
                    if (complete) {
                        requestParams(parser, fields, bytes, start);
                    } else {
                        params(parser, fields, bytes, start);
                    }
                }
                default -> skip(parser);
            }
            // Skips values of an unexpected type, so that their members are not read as members of this object.
            parser.skipChildren();
        }
        return complete;
    }

    /** Copies the params of a request; of their members only the run is read. */
    private static void requestParams(JsonParser parser, MessageFields fields, byte[] bytes, int start) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            skip(parser);
            return;
        }
        int from = start + (int) parser.currentTokenLocation().getByteOffset();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean run = parser.currentName().equals("run");
            parser.nextToken();
            if (run) {
                fields.run = uuid(parser.getValueAsString());
            }
            skip(parser);
        }
        fields.data = Arrays.copyOfRange(bytes, from, start + (int) parser.currentLocation().getByteOffset());
    }

    private void params(JsonParser parser, MessageFields fields, byte[] bytes, int start) throws IOException {
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
                case "checkpoint" -> fields.checkpoint = token == JsonToken.START_OBJECT ? slice(parser, bytes, start) : null;
                case "data" -> {
                    fields.hasData = true;
                    fields.data = slice(parser, bytes, start);
                }
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
}
