package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

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
        if (params.isText()) {
            return SerializedValue.of(type, added(params.utf8()));
        }
        Form form = new Form();
        params.members(what, name -> form.read(name, what));
        return SerializedValue.of(type, form.same >= 0 ? repeated(form.same) : added(form.bytes(what)));
    }

    private byte[] added(byte[] value) {
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

    /** The members of a value that is an object. */
    private final class Form {

        private byte @Nullable [] base64;
        private int part = -1;
        private int size = -1;
        private int same = -1;

        boolean read(String name, String what) throws IOException {
            switch (name) {
                case "base64" -> base64 = params.base64(what);
                case "part" -> part = (int) params.integer(name, 0, MAX_NUMBER);
                case "size" -> size = (int) params.integer(name, 1, Integer.MAX_VALUE);
                case "same" -> same = (int) params.integer(name, 0, MAX_NUMBER);
                default -> {
                    return false;
                }
            }
            return true;
        }

        byte[] bytes(String what) {
            return part >= 0 && size > 0 ? parts.take(part, size) : ParamsParser.required(base64, what + ".base64");
        }
    }
}
