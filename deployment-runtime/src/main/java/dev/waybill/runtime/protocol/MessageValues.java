package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.runtime.protocol.RequestException.Code;

/** Reads the values of one message; a value may refer to an earlier one (docs/worker-protocol-threads.md). */
final class MessageValues {

    private static final int MAX_TYPE = 64;
    private static final int MAX_NUMBER = 1_000_000;
    /** Of all references in a message: a short line could otherwise store any number of bytes. */
    private static final int MAX_REPEATED_BYTES = 1 << 20;

    private final ParamsParser params;
    private final RequestReader.Parts parts;
    private final List<byte[]> values = new ArrayList<>();
    private long repeatedBytes;

    MessageValues(ParamsParser params, RequestReader.Parts parts) {
        this.params = params;
        this.parts = parts;
    }

    /** Reads a type and a value, the last two elements of an array. */
    SerializedValue read(String what) throws IOException {
        String type = params.text(what, MAX_TYPE);
        params.next(what);
        if (type.equals(SerializedValue.EMPTY)) {
            if (!params.isNull()) {
                throw ParamsParser.invalid(what, "null for the type empty");
            }
            return SerializedValue.empty();
        }
        if (!params.isText()) {
            return SerializedValue.of(type, object(what));
        }
        byte[] text = params.utf8();
        values.add(text);
        return SerializedValue.of(type, text);
    }

    private byte[] object(String what) throws IOException {
        byte[][] bytes = new byte[1][];
        long[] numbers = { -1, -1, -1 };
        params.members(what, name -> {
            switch (name) {
                case "base64" -> bytes[0] = params.base64(what);
                case "part" -> numbers[0] = params.integer(name, 0, MAX_NUMBER);
                case "size" -> numbers[1] = params.integer(name, 1, Integer.MAX_VALUE);
                case "same" -> numbers[2] = params.integer(name, 0, MAX_NUMBER);
                default -> {
                    return false;
                }
            }
            return true;
        });
        if (numbers[2] >= 0) {
            return repeated((int) numbers[2]);
        }
        byte[] value = numbers[0] >= 0 && numbers[1] > 0 ? parts.take((int) numbers[0], (int) numbers[1])
                : ParamsParser.required(bytes[0], what + ".base64");
        values.add(value);
        return value;
    }

    private byte[] repeated(int number) {
        if (number >= values.size()) {
            throw ParamsParser.invalid("same", "the number of an earlier value of the message, from 0");
        }
        byte[] value = values.get(number);
        repeatedBytes += value.length;
        if (repeatedBytes > MAX_REPEATED_BYTES) {
            throw new RequestException(Code.VALUE_TOO_LARGE,
                    "Repeated values of a message must have at most " + MAX_REPEATED_BYTES + " bytes together.");
        }
        return value;
    }
}
