package dev.waybill.runtime.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Parses the line of an event in its usual form in one pass, without a JSON tree: only the data is copied. Lines in any other
 * form are left to {@link MessageReader}.
 */
final class FastEventParser {

    private static final byte[][] BEFORE_RUN = tokens("{", "\"jsonrpc\"", ":", "\"2.0\"", ",", "\"method\"", ":",
            "\"run/event\"", ",", "\"params\"", ":", "{", "\"run\"", ":");
    private static final byte[][] BEFORE_MODE = tokens(",", "\"mode\"", ":");
    private static final byte[][] BEFORE_DATA = tokens(",", "\"data\"", ":");
    private static final byte[][] AFTER_DATA = tokens("}", "}");
    private static final String[] MODES = MessageReader.MODES.toArray(String[]::new);
    private static final byte[][] QUOTED_MODES = tokens(
            Arrays.stream(MODES).map(mode -> '"' + mode + '"').toArray(String[]::new));
    private static final int UUID_LENGTH = 36;

    private final byte[] bytes;
    private final int end;
    private int at;

    private FastEventParser(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /** Returns the event on the line; null if the line does not have the usual form. */
    static Message.@Nullable Event read(byte[] bytes, int start, int length) {
        return new FastEventParser(bytes, start, start + length).event(length);
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
        if (mode == null || !consumeAll(BEFORE_DATA)) {
            return null;
        }
        JsonScanner scan = new JsonScanner(bytes, end);
        int from = scan.skipSpace(at);
        at = scan.skipValue(from);
        int to = at;
        if (to < 0 || !consumeAll(AFTER_DATA) || scan.skipSpace(at) != end) {
            return null;
        }
        return new Message.Event(run, mode, "", Arrays.copyOfRange(bytes, from, to), cost);
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
