package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.FieldEncoders.FieldEncoder;
import dev.waybill.export.trace.RunRow;

/** Formats the fields of runs for display, with the same values as in an export's files. For one thread. */
public final class RunFormatter {

    private final ExportSchema schema;
    private final int maxTextBytes;
    private final Map<ExportField, FieldEncoder> encoders = new LinkedHashMap<>();
    private final TextCapture text = new TextCapture();

    /**
     * A field of a run, formatted as text.
     *
     * @param name the name in requests
     * @param text null if the run has no value
     * @param isTruncated whether the text is incomplete
     * @param isJson whether the text is the JSON form of a value that is not a string: a number, a boolean or a list
     */
    public record FormattedField(String name, @Nullable String text, boolean isTruncated, boolean isJson) {
    }

    /** @param maxTextBytes the size at which texts are truncated */
    public RunFormatter(ExportSchema schema, ExportedSession session, int maxTextBytes) {
        this.schema = schema;
        this.maxTextBytes = maxTextBytes;
        FieldEncoders texts = new FieldEncoders(session);
        schema.fields().forEach(field -> encoders.put(field, texts.text(field, text)));
    }

    /** Returns the fields in the order of the files' columns. */
    public List<FormattedField> of(RunRow row) throws IOException {
        List<FormattedField> fields = new ArrayList<>();
        for (Map.Entry<ExportField, FieldEncoder> encoder : encoders.entrySet()) {
            encoder.getValue().encode(row);
            ExportField field = encoder.getKey();
            fields.add(new FormattedField(field.wireName(), text.value, text.isTruncated,
                    !text.isTruncated && isJson(schema.typeOf(field))));
        }
        return fields;
    }

    private static boolean isJson(ExportType type) {
        return switch (type) {
            case TEXT, TIME -> false;
            case COUNT, COST, SECONDS, FLAG, LIST -> true;
        };
    }

    /** Stores the last written text. */
    private final class TextCapture implements TextColumn {

        private @Nullable String value;
        private boolean isTruncated;

        @Override
        public void write(byte[] bytes, int offset, int length) {
            isTruncated = length > maxTextBytes;
            value = isTruncated ? new String(bytes, offset, beforeCharacter(bytes, offset + maxTextBytes) - offset, UTF_8) + "…"
                    : new String(bytes, offset, length, UTF_8);
        }

        @Override
        public void writeNull() {
            isTruncated = false;
            value = null;
        }

        private static int beforeCharacter(byte[] bytes, int index) {
            int at = index;
            while ((bytes[at] & 0xc0) == 0x80) {
                at--;
            }
            return at;
        }
    }
}
