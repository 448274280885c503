package dev.waybill.runtime.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Parses the line of an event or a request in its usual form in one pass, without a JSON tree: only the data or the params are
 * copied. Lines in any other form are left to {@link MessageReader}.
 */
final class FastMessageParser {

    private static final byte[][] BEFORE_RUN = tokens("{", "\"jsonrpc\"", ":", "\"2.0\"", ",", "\"method\"", ":",
            "\"run/event\"", ",", "\"params\"", ":", "{", "\"run\"", ":");
    private static final byte[][] BEFORE_ID = tokens("{", "\"jsonrpc\"", ":", "\"2.0\"", ",", "\"id\"", ":");
    private static final byte[][] BEFORE_LAST = tokens("{", "\"jsonrpc\"", ":", "\"2.0\"", ",", "\"method\"", ":",
            '"' + Message.Call.LAST + '"');
    private static final byte[][] BEFORE_METHOD = tokens(",", "\"method\"", ":");
    private static final byte[][] BEFORE_PARAMS = tokens(",", "\"params\"", ":");
    private static final byte[][] BEFORE_RUN_OF_REQUEST = tokens("{", "\"run\"", ":");
    private static final byte[][] AFTER_PARAMS = tokens("}");
    private static final byte[][] BEFORE_MODE = tokens(",", "\"mode\"", ":");
    private static final byte[][] BEFORE_CHECKPOINT = tokens(",", "\"checkpoint\"", ":");
    private static final byte[][] BEFORE_DATA = tokens(",", "\"data\"", ":");
    private static final byte[][] AFTER_DATA = tokens("}", "}");
    private static final String[] MODES = MessageReader.MODES.toArray(String[]::new);
    private static final byte[][] QUOTED_MODES = tokens(
            Arrays.stream(MODES).map(mode -> '"' + mode + '"').toArray(String[]::new));
    private static final String[] REQUESTS = { "checkpoint/batch", "checkpoint/get", "checkpoint/put", "checkpoint/putWrites",
            "store/batch", "blob/part" };
    private static final byte[][] QUOTED_REQUESTS = tokens(
            Arrays.stream(REQUESTS).map(method -> '"' + method + '"').toArray(String[]::new));
    private static final int UUID_LENGTH = 36;
    private static final int MAX_DIGITS = 15;

    private final byte[] bytes;
    private final int end;
    private int at;

    private FastMessageParser(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /** Returns the event on the line; null if the line does not have the usual form. */
    static Message.@Nullable Event read(byte[] bytes, int start, int length) {
        return new FastMessageParser(bytes, start, start + length).event(length);
    }

    private Message.@Nullable Event event(int cost) {
        if (!consumeAll(BEFORE_RUN)) {
            return null;
        }
        UUID run = uuid();
        if (run == null || !consumeAll(BEFORE_MODE)) {
            return null;
        }
        String mode = mode();
        JsonScanner scan = new JsonScanner(bytes, end);
        byte[] checkpoint = MessageReader.VALUES.equals(mode) ? checkpoint(scan) : null;
        if (mode == null || !consumeAll(BEFORE_DATA)) {
            return null;
        }
        int from = scan.skipSpace(at);
        at = scan.skipValue(from);
        int to = at;
        if (to < 0 || !consumeAll(AFTER_DATA) || scan.skipSpace(at) != end) {
            return null;
        }
        return new Message.Event(run, mode, "", Arrays.copyOfRange(bytes, from, to), checkpoint, cost);
    }

    /** Returns the object that names a checkpoint, and skips it; null if there is none, or it is too long. */
    private byte @Nullable [] checkpoint(JsonScanner scan) {
        int start = at;
        if (consumeAll(BEFORE_CHECKPOINT)) {
            int from = scan.skipSpace(at);
            int to = from < end && bytes[from] == '{' ? scan.skipValue(from) : -1;
            if (to >= 0) {
                at = to;
                return to - from > MessageReader.MAX_CHECKPOINT ? null : Arrays.copyOfRange(bytes, from, to);
            }
        }
        at = start;
        return null;
    }

    /** Returns the request on the line, as of version 2; null if the line does not have the usual form. */
    static Message.@Nullable Call readRequest(byte[] bytes, int start, int length) {
        return new FastMessageParser(bytes, start, start + length).request(length);
    }

    private Message.@Nullable Call request(int cost) {
        int start = at;
        long id = Message.Call.NO_RESPONSE;
        String method = consumeAll(BEFORE_LAST) ? Message.Call.LAST : null;
        if (method == null) {
            at = start;
            id = consumeAll(BEFORE_ID) ? number() : -1;
            method = id < 0 || !consumeAll(BEFORE_METHOD) ? null : method();
        }
        if (method == null || !consumeAll(BEFORE_PARAMS)) {
            return null;
        }
        JsonScanner scan = new JsonScanner(bytes, end);
        int from = scan.skipSpace(at);
        UUID run = consumeAll(BEFORE_RUN_OF_REQUEST) ? uuid() : null;
        if (run == null) {
            return null;
        }
        at = scan.skipValue(from);
        int to = at;
        if (to < 0 || !consumeAll(AFTER_PARAMS) || scan.skipSpace(at) != end) {
            return null;
        }
        return new Message.Call(id, run, method, Arrays.copyOfRange(bytes, from, to), cost);
    }

    /** Returns the integer at the position; negative if there is none of at most MAX_DIGITS digits. */
    private long number() {
        while (at < end && bytes[at] == ' ') {
            at++;
        }
        int from = at;
        long number = 0;
        while (at < end && at - from < MAX_DIGITS && bytes[at] >= '0' && bytes[at] <= '9') {
            number = number * 10 + bytes[at++] - '0';
        }
        boolean valid = at > from && (bytes[from] != '0' || at == from + 1);
        return valid ? number : -1;
    }

    private @Nullable String method() {
        for (int i = 0; i < REQUESTS.length; i++) {
            if (consume(QUOTED_REQUESTS[i])) {
                return REQUESTS[i];
            }
        }
        return null;
    }

    private boolean consumeAll(byte[][] tokens) {
        for (byte[] token : tokens) {
            if (!consume(token)) {
                return false;
            }
        }
        return true;
    }

    private boolean consume(byte[] token) {
        while (at < end && bytes[at] == ' ') {
            at++;
        }
        boolean matches = at + token.length <= end
                && Arrays.equals(bytes, at, at + token.length, token, 0, token.length);
        at += matches ? token.length : 0;
        return matches;
    }

    private @Nullable String mode() {
        for (int i = 0; i < MODES.length; i++) {
            if (consume(QUOTED_MODES[i])) {
                return MODES[i];
            }
        }
        return null;
    }

    private @Nullable UUID uuid() {
        while (at < end && bytes[at] == ' ') {
            at++;
        }
        if (at + UUID_LENGTH + 2 > end || bytes[at] != '"' || bytes[at + UUID_LENGTH + 1] != '"') {
            return null;
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < UUID_LENGTH; i++) {
            byte b = bytes[at + 1 + i];
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (b != '-') {
                    return null;
                }
                continue;
            }
            int digit = b < 0 ? -1 : Character.digit((char) b, 16);
            if (digit < 0) {
                return null;
            }
            high = i < 18 ? high << 4 | digit : high;
            low = i < 18 ? low : low << 4 | digit;
        }
        at += UUID_LENGTH + 2;
        return new UUID(high, low);
    }

    private static byte[][] tokens(String... texts) {
        return Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
    }
}
