package dev.waybill.experiment.json;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.waybill.common.time.Timestamps;

/**
 * Reads the value at the parser's position as the type of its member; skips a value of another type and adds a violation.
 * Callers treat null as absent.
 */
public final class JsonInput {

    /** Largest integer that a double represents exactly, as JSON parsers of all languages read it. */
    private static final long MAX_COUNT = (1L << 53) - 1;
    private static final int COST_SCALE = 9;
    private static final int COST_DIGITS_BEFORE_POINT = 9;

    private final JsonParser parser;
    private final Source source;
    private final ViolationCollector violations;
    private String member = "";

    /** @param source returns the bytes of values that are stored unchanged */
    public JsonInput(JsonParser parser, Source source, ViolationCollector violations) {
        this.parser = parser;
        this.source = source;
        this.violations = violations;
    }

    /** Returns an input at the same position whose violations are reported at a nested location. */
    public JsonInput at(Object... steps) {
        return new JsonInput(parser, source, violations.at(steps));
    }

    /** Returns an input at the same position with another source. */
    public JsonInput from(Source other) {
        return new JsonInput(parser, other, violations);
    }

    /** Returns the parser. */
    public JsonParser parser() {
        return parser;
    }

    /** Returns the collector for violations of the current object. */
    public ViolationCollector violations() {
        return violations;
    }

    /** Returns the name of the current member. */
    public String member() {
        return member;
    }

    /** Sets the name of the current member, which violations name. */
    void enter(String name) {
        member = name;
    }

    /** Returns whether the current value begins or is of this kind. */
    public boolean is(JsonToken token) {
        return parser.currentToken() == token;
    }

    /** Reads a string and replaces the characters that PostgreSQL cannot store. */
    public @Nullable String text() throws IOException {
        return is(JsonToken.VALUE_STRING) ? Texts.storable(parser.getText()) : wrongType("must be a string");
    }

    /** Reads a UUID. */
    public @Nullable UUID id() throws IOException {
        Optional<UUID> id = is(JsonToken.VALUE_STRING) ? Texts.parseId(parser.getText()) : Optional.empty();
        return id.isPresent() ? id.get() : wrongType("must be a UUID");
    }

    /** Reads a timestamp as text; only traces also accept numbers. */
    public @Nullable Instant timestamp() throws IOException {
        Instant time = is(JsonToken.VALUE_STRING) ? timeOrNull() : null;
        return time != null ? time : wrongType("must be an ISO 8601 timestamp such as 2026-11-21T08:00:00Z");
    }

    /** Reads a timestamp of a trace: text or milliseconds. */
    public @Nullable Instant time() throws IOException {
        Instant time = timeOrNull();
        return time != null ? time : wrongType("must be an ISO 8601 timestamp, or milliseconds since 1970 as a number");
    }

    /** Reads a timestamp of a trace; returns null for other values, without a violation. */
    public @Nullable Instant timeOrNull() throws IOException {
        try {
            return switch (parser.currentToken()) {
                case VALUE_STRING -> Timestamps.parse(parser.getText());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Timestamps.ofEpochMillis(parser.getDoubleValue());
                default -> null;
            };
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Reads a number that fits into a double. */
    public @Nullable Double number() throws IOException {
        if (parser.currentToken().isNumeric() && Double.isFinite(parser.getDoubleValue())) {
            return parser.getDoubleValue();
        }
        return wrongType("must be a number");
    }

    /** Reads an array of strings; {@code rule} is the message for other types. */
    public @Nullable List<String> texts(String rule) throws IOException {
        if (!is(JsonToken.START_ARRAY)) {
            return wrongType(rule);
        }
        List<String> texts = new ArrayList<>();
        boolean onlyTexts = true;
        boolean tooMany = false;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (!is(JsonToken.VALUE_STRING)) {
                parser.skipChildren();
                onlyTexts = false;
            } else if (violations.acceptsText()) {
                texts.add(Texts.storable(parser.getText()));
            } else {
                tooMany = true;
            }
        }
        if (!onlyTexts) {
            violations.wrongType(member, rule);
        }
        if (tooMany) {
            violations.invalid(member, "exceeds the limit of 100,000 strings in lists of one request; split the request");
        }
        return texts;
    }

    /** Reads a whole number from 0. */
    public @Nullable Long count() throws IOException {
        Long count = countOrNull();
        return count != null ? count : wrongType("must be a whole number from 0 to " + MAX_COUNT);
    }

    /** Reads a whole number from 0; returns null for other values, without a violation. */
    public @Nullable Long countOrNull() throws IOException {
        if (is(JsonToken.VALUE_NUMBER_INT)) {
            return parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER && parser.getLongValue() >= 0
                    && parser.getLongValue() <= MAX_COUNT ? parser.getLongValue() : null;
        }
        if (is(JsonToken.VALUE_NUMBER_FLOAT)) {
            double value = parser.getDoubleValue();
            return value >= 0 && value <= MAX_COUNT && value == Math.rint(value) ? (Long) (long) value : null;
        }
        return null;
    }

    /** Reads a cost. */
    public @Nullable BigDecimal cost() throws IOException {
        BigDecimal cost = costOrNull();
        return cost != null ? cost
                : wrongType("must be a number, 0 or more and below 1000000000, or the same as a string");
    }

    /** Reads a cost, rounded half to even at nine decimal places; returns null for other values, without a violation. */
    public @Nullable BigDecimal costOrNull() throws IOException {
        BigDecimal cost = decimal();
        // The client chooses the exponent: checks the magnitude before the number is expanded.
        if (cost == null || cost.signum() < 0 || (long) cost.precision() - cost.scale() > COST_DIGITS_BEFORE_POINT) {
            return null;
        }
        if ((long) cost.precision() - cost.scale() < -COST_SCALE) {
            return BigDecimal.ZERO;
        }
        BigDecimal rounded = cost.setScale(COST_SCALE, RoundingMode.HALF_EVEN);
        return rounded.precision() - rounded.scale() > COST_DIGITS_BEFORE_POINT ? null : rounded;
    }

    private @Nullable BigDecimal decimal() throws IOException {
        try {
            return switch (parser.currentToken()) {
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
                case VALUE_STRING -> parser.getTextLength() > 64 ? null : new BigDecimal(parser.getText());
                default -> null;
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Reads an object that is stored unchanged; {@code rule} is the message for other types. */
    public @Nullable Bytes object(String rule) throws IOException {
        if (!is(JsonToken.START_OBJECT)) {
            return wrongType(rule);
        }
        long from = offset();
        parser.skipChildren();
        return sliceFrom(from);
    }

    /** Returns the offset of the current value in the document. */
    public long offset() {
        return parser.currentTokenLocation().getByteOffset();
    }

    /** Returns the number of bytes from {@code offset} to the end of the current value. */
    public long lengthFrom(long offset) {
        return parser.currentLocation().getByteOffset() - offset;
    }

    /** Returns the bytes from {@code offset} to the end of the current value, which has been read. */
    public Bytes sliceFrom(long offset) {
        return source.slice(offset, parser.currentLocation().getByteOffset());
    }

    /** Returns the source of the document. */
    public Source source() {
        return source;
    }

    /** Skips a value of the wrong type, adds a violation and returns null. */
    public <T> @Nullable T wrongType(String rule) throws IOException {
        parser.skipChildren();
        violations.wrongType(member, rule);
        return null;
    }

    /** Skips an element or document of the wrong type and adds a violation of this location. */
    public void wrongTypeHere(String rule) throws IOException {
        parser.skipChildren();
        violations.invalidHere(rule, "type");
    }

    /** Returns the text as a JSON string. */
    public static String quote(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    /** Returns the raw bytes of parts of a JSON document that is stored unchanged. */
    @FunctionalInterface
    public interface Source {

        /** For documents that are validated without reading their content. */
        Source NOTHING = (from, to) -> new Bytes(new byte[0], 0, 0);

        /** Returns the bytes from {@code from} (inclusive) to {@code to} (exclusive), as byte offsets of the parser. */
        Bytes slice(long from, long to);

        /** Creates a source for a document in memory. */
        static Source of(Bytes document) {
            return (from, to) -> document.slice((int) from, (int) to);
        }
    }
}
