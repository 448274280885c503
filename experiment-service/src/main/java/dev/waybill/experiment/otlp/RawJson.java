package dev.waybill.experiment.otlp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonDocumentReader;
import dev.waybill.experiment.json.Texts;

/**
 * A JSON document in the text of an attribute, as many instrumentations send structures; it is embedded into documents
 * unchanged.
 *
 * @param text one well-formed JSON document
 */
record RawJson(String text) {

    // Less than the limit of a run's member, which it is embedded in.
    private static final JsonDocumentReader DOCUMENTS = new JsonDocumentReader(400);
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    // Keeps all digits of numbers.
    private static final ObjectMapper TREES = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Parses {@code value} as a JSON object or array; empty if it is not one. */
    static Optional<RawJson> of(@Nullable Object value) {
        if (!(value instanceof String text) || !mayBeStructure(text)) {
            return Optional.empty();
        }
        try {
            String storable = Texts.storable(text);
            DOCUMENTS.read(Bytes.of(storable), "", JsonParser::skipChildren);
            return Optional.of(new RawJson(storable.strip()));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    boolean isObject() {
        return text.startsWith("{");
    }

    private static boolean mayBeStructure(String text) {
        String stripped = text.strip();
        return stripped.startsWith("{") && stripped.endsWith("}") || stripped.startsWith("[") && stripped.endsWith("]");
    }

    /** Returns the members of an object. */
    Map<String, Object> members() {
        try {
            return MAPPER.readValue(text, new TypeReference<>() {
            });
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("validated JSON cannot be parsed", e);
        }
    }

    /** Decodes the text of a JSON structure or string; returns any other value unchanged. */
    static @Nullable Object tree(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(RawJson::tree).toList();
        }
        Optional<RawJson> json = of(value);
        if (json.isPresent()) {
            return json.get().tree();
        }
        return value instanceof String text && text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? string(text)
                : value;
    }

    /** Returns the structure as maps, lists and values. */
    Object tree() {
        try {
            return TREES.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("validated JSON cannot be parsed", e);
        }
    }

    private static String string(String text) {
        try {
            return TREES.readValue(text, String.class);
        } catch (JsonProcessingException e) {
            return text;
        }
    }

    /** Writes {@code value} as JSON: values of attributes, and {@link RawJson} within. */
    static Bytes write(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Bytes(bytes.toByteArray(), 0, bytes.size());
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case String text -> json.writeString(Texts.storable(text));
            case Boolean truth -> json.writeBoolean(truth);
            // JSON has no representation of NaN and infinities.
            case Double number when !Double.isFinite(number) -> json.writeString(number.toString());
            case Number number -> json.writeNumber(number.toString());
            case byte[] bytes -> json.writeString(Base64.getEncoder().encodeToString(bytes));
            case RawJson raw -> json.writeRawValue(raw.text);
            case List<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    write(json, element);
                }
                json.writeEndArray();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(Texts.storable(entry.getKey().toString()));
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            default -> throw new IllegalStateException("unexpected type of an attribute's value: " + value.getClass());
        }
    }
}
