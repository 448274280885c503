package dev.waybill.runtime.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.runtime.protocol.RequestException.Code;

/** Parses the params of a request in one pass. Members may have any order; unknown ones are skipped. */
final class ParamsParser implements AutoCloseable {

    private static final byte[] REPLACEMENT = "fffd".getBytes(US_ASCII);
    private static final int ESCAPE_LENGTH = 6;
    private static final int UUID_LENGTH = 36;

    private final byte[] json;
    private final JsonParser parser;

    /** Reads the value of a member whose name was read. */
    interface MemberReader {

        /** Returns false for an unknown member, which is skipped. */
        boolean read(String name) throws IOException;
    }

    /** Reads the element of an array at the parser's position. */
    interface ElementReader {
        void read() throws IOException;
    }

    ParamsParser(JsonFactory factory, byte[] json) throws IOException {
        this.json = json;
        this.parser = factory.createParser(json);
        parser.nextToken();
    }

    /** Reads the members of the object at the current position. */
    void members(String what, MemberReader reader) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT, what, "an object");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (!reader.read(name)) {
                skip();
            }
        }
    }

    /** Reads the elements of the array at the current position. */
    void elements(String what, int max, ElementReader reader) throws IOException {
        require(parser.currentToken() == JsonToken.START_ARRAY, what, "an array");
        for (int count = 1; parser.nextToken() != JsonToken.END_ARRAY; count++) {
            if (count > max) {
                throw new RequestException(Code.VALUE_TOO_LARGE, "`" + what + "` must have at most " + max + " elements.");
            }
            reader.read();
        }
    }

    /** Begins the array at the current position, whose elements have fixed meanings, and moves to the first one. */
    void begin(String what) throws IOException {
        require(parser.currentToken() == JsonToken.START_ARRAY, what, "an array");
        next(what);
    }

    /** Moves to the next element of such an array. */
    void next(String what) throws IOException {
        require(parser.nextToken() != JsonToken.END_ARRAY, what, "complete");
    }

    /** Ends such an array; further elements are skipped. */
    void end() throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            skip();
        }
    }

    boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    boolean isText() {
        return parser.currentToken() == JsonToken.VALUE_STRING;
    }

    String text(String what, int maxLength) throws IOException {
        require(isText(), what, "a string");
        String text = parser.getText();
        if (text.length() > maxLength) {
            throw new RequestException(Code.VALUE_TOO_LARGE, "`" + what + "` must have at most " + maxLength + " characters.");
        }
        require(isStorable(text), what, "a string without U+0000 and lone surrogates");
        return text;
    }

    /** Returns whether PostgreSQL can store the text. */
    static boolean isStorable(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char unit = text.charAt(i);
            if (Character.isHighSurrogate(unit) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (unit == 0 || Character.isSurrogate(unit)) {
                return false;
            }
        }
        return true;
    }

    UUID uuid(String what) throws IOException {
        String text = text(what, UUID_LENGTH);
        try {
            require(text.length() == UUID_LENGTH, what, "a UUID");
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw invalid(what, "a UUID");
        }
    }

    long integer(String what, long min, long max) throws IOException {
        try {
            long number = parser.currentToken() == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : min - 1;
            if (number >= min && number <= max) {
                return number;
            }
        } catch (JacksonException e) {
            // Reported below.
        }
        throw invalid(what, "an integer between " + min + " and " + max);
    }

    boolean bool(String what) {
        require(parser.currentToken().isBoolean(), what, "true or false");
        return parser.currentToken() == JsonToken.VALUE_TRUE;
    }

    double number(String what) throws IOException {
        require(parser.currentToken().isNumeric(), what, "a number");
        return parser.getDoubleValue();
    }

    /**
     * Returns the string at the current position in UTF-8, which the parser skips. The params were validated as JSON before.
     */
    byte[] utf8() {
        return JsonStrings.utf8(json, (int) parser.currentTokenLocation().getByteOffset() + 1);
    }

    byte[] base64(String what) throws IOException {
        require(isText(), what, "a string in base64");
        try {
            return parser.getBinaryValue();
        } catch (JacksonException e) {
            throw invalid(what, "a string in base64");
        }
    }

    /** Copies the JSON object at the current position, without characters that PostgreSQL cannot store in JSON. */
    byte[] object(String what, int maxBytes) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT, what, "an object");
        int from = (int) parser.currentTokenLocation().getByteOffset();
        skip();
        int to = (int) parser.currentLocation().getByteOffset();
        if (to - from > maxBytes) {
            throw new RequestException(Code.VALUE_TOO_LARGE, "`" + what + "` must have at most " + maxBytes + " bytes.");
        }
        return storable(Arrays.copyOfRange(json, from, to));
    }

    private void skip() throws IOException {
        parser.skipChildren();
        parser.finishToken();
    }

    /** Replaces U+0000, lone surrogates and invalid UTF-8 by U+FFFD. */
    static byte[] storable(byte[] original) {
        byte[] json = isAscii(original) ? original : new String(original, UTF_8).getBytes(UTF_8);
        for (int i = 0; i + 1 < json.length; i++) {
            if (json[i] == '\\') {
                int unit = unit(json, i);
                boolean pair = isHigh(unit) && isLow(unit(json, i + ESCAPE_LENGTH));
                if (unit == 0 || !pair && (isHigh(unit) || isLow(unit))) {
                    System.arraycopy(REPLACEMENT, 0, json, i + 2, REPLACEMENT.length);
                }
                // Skips the escaped character, which may be a backslash, and a complete pair.
                i += pair ? ESCAPE_LENGTH * 2 - 1 : 1;
            }
        }
        return json;
    }

    private static boolean isAscii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the code unit of the escape at the position; -1 if there is none. */
    private static int unit(byte[] json, int at) {
        if (at + ESCAPE_LENGTH > json.length || json[at] != '\\' || json[at + 1] != 'u') {
            return -1;
        }
        return HexFormat.fromHexDigits(new String(json, at + 2, ESCAPE_LENGTH - 2, US_ASCII));
    }

    private static boolean isHigh(int unit) {
        return unit >= Character.MIN_HIGH_SURROGATE && unit <= Character.MAX_HIGH_SURROGATE;
    }

    private static boolean isLow(int unit) {
        return unit >= Character.MIN_LOW_SURROGATE && unit <= Character.MAX_LOW_SURROGATE;
    }

    /** Returns the value of a required member. */
    static <T> T required(@Nullable T value, String what) {
        if (value == null) {
            throw new RequestException(Code.INVALID_PARAMS, "`" + what + "` is missing.");
        }
        return value;
    }

    static RequestException invalid(String what, String expected) {
        return new RequestException(Code.INVALID_PARAMS, "`" + what + "` must be " + expected + ".");
    }

    private static void require(boolean valid, String what, String expected) {
        if (!valid) {
            throw invalid(what, expected);
        }
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
