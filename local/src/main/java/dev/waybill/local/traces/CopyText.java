package dev.waybill.local.traces;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Formats rows in PostgreSQL's text format for COPY: one line per row, columns separated by tabs. */
final class CopyText {

    private static final byte[] NULL = { '\\', 'N' };

    private final ByteArrayOutputStream line = new ByteArrayOutputStream(8192);
    private boolean started;

    CopyText value(@Nullable Object value) {
        return value(value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8));
    }

    CopyText value(byte @Nullable [] text) {
        separate();
        if (text == null) {
            line.writeBytes(NULL);
            return this;
        }
        for (byte character : text) {
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
        line.write('\n');
        byte[] completed = line.toByteArray();
        line.reset();
        started = false;
        return completed;
    }

    private void separate() {
        if (started) {
            line.write('\t');
        }
        started = true;
    }

    private void write(byte character) {
        switch (character) {
            case '\\' -> escape('\\');
            case '\t' -> escape('t');
            case '\n' -> escape('n');
            case '\r' -> escape('r');
            default -> line.write(character);
        }
    }

    private void escape(char letter) {
        line.write('\\');
        line.write(letter);
    }
}
