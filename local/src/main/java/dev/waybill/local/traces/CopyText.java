package dev.waybill.local.traces;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Formats rows in PostgreSQL's text format for COPY: one line per row, columns separated by tabs. */
final class CopyText {

    private static final byte[] NULL = { '\\', 'N' };

    private byte[] line = new byte[16_384];
    private int length;
    private boolean started;

    CopyText value(@Nullable Object value) {
        return value(value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8));
    }

    CopyText value(byte @Nullable [] text) {
        byte[] value = text == null ? NULL : text;
        // Each character has at most one escape.
        reserve(2 * value.length + 2);
        if (started) {
            line[length++] = '\t';
        }
        started = true;
        if (text == null) {
            line[length++] = NULL[0];
            line[length++] = NULL[1];
            return this;
        }
        for (byte character : value) {
            write(character);
        }
        return this;
    }

    /** Adds an array of values that need no quotes. */
    CopyText array(List<?> values) {
        return value("{" + String.join(",", values.stream().map(Object::toString).toList()) + "}");
    }

    /** Returns the completed line; the next value starts a new one. */
    byte[] line() {
        reserve(1);
        line[length++] = '\n';
        byte[] completed = Arrays.copyOf(line, length);
        length = 0;
        started = false;
        return completed;
    }

    private void reserve(int bytes) {
        if (line.length - length < bytes) {
            line = Arrays.copyOf(line, Math.max(2 * line.length, length + bytes));
        }
    }

    private void write(byte character) {
        switch (character) {
            case '\\' -> escape('\\');
            case '\t' -> escape('t');
            case '\n' -> escape('n');
            case '\r' -> escape('r');
            default -> line[length++] = character;
        }
    }

    private void escape(char letter) {
        line[length++] = '\\';
        line[length++] = (byte) letter;
    }
}
