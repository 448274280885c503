package dev.waybill.local.bench;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Rows in PostgreSQL's text format for COPY: a line each, tabs between the columns. */
final class CopyText {

    private static final byte[] NULL = { '\\', 'N' };

    private final ByteArrayOutputStream line = new ByteArrayOutputStream(8192);
    private boolean begun;

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

    /** An array of values that need no quotes. */
    CopyText array(List<?> values) {
        return value("{" + String.join(",", values.stream().map(Object::toString).toList()) + "}");
    }

    /** @return the finished line; the next value begins another */
    byte[] line() {
        line.write('\n');
        byte[] whole = line.toByteArray();
        line.reset();
        begun = false;
        return whole;
    }

    private void separate() {
        if (begun) {
            line.write('\t');
        }
        begun = true;
    }

    private void write(byte character) {
        switch (character) {
            case '\\' -> escaped('\\');
            case '\t' -> escaped('t');
            case '\n' -> escaped('n');
            case '\r' -> escaped('r');
            default -> line.write(character);
        }
    }

    private void escaped(char letter) {
        line.write('\\');
        line.write(letter);
    }
}
