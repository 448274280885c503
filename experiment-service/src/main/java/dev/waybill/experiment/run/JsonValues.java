package dev.waybill.experiment.run;

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

import dev.waybill.common.time.Timestamps;

/**
 * Reads the current value of a parser as the type of a member; skips values of other types and adds a violation.
 * Callers treat null as absent.
 */
public final class JsonValues {

    /** Largest integer that a double represents exactly, as JSON parsers of all languages read it. */
    private static final long MAX_COUNT = (1L << 53) - 1;
    private static final int COST_SCALE = 9;
    private static final int COST_DIGITS_BEFORE_POINT = 9;

    private JsonValues() {
    }

    /** Reads a string and replaces the characters that PostgreSQL cannot store. */
    public static @Nullable String text(JsonParser json, String member, Violations violations) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return storable(json.getText());
        }
        return wrongType(json, member, "must be a string", violations);
    }

    /** Reads a UUID. */
    public static @Nullable UUID id(JsonParser json, String member, Violations violations) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            Optional<UUID> id = RunIds.parse(json.getText());
            if (id.isPresent()) {
                return id.get();
            }
        }
        return wrongType(json, member, "must be a UUID", violations);
    }

    /** Reads a timestamp as text; only traces also accept numbers. */
    public static @Nullable Instant timestamp(JsonParser json, String member, Violations violations) throws IOException {
        Instant time = json.currentToken() == JsonToken.VALUE_STRING ? timeOrNull(json) : null;
        return time != null ? time
                : wrongType(json, member, "must be an ISO 8601 timestamp such as 2026-11-21T08:00:00Z", violations);
    }

    static @Nullable Instant time(JsonParser json, String member, Violations violations) throws IOException {
        Instant time = timeOrNull(json);
        return time != null ? time
                : wrongType(json, member, "must be an ISO 8601 timestamp, or milliseconds since 1970 as a number", violations);
    }

    static @Nullable Instant timeOrNull(JsonParser json) throws IOException {
        try {
            return switch (json.currentToken()) {
                case VALUE_STRING -> Timestamps.parse(json.getText());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Timestamps.ofEpochMillis(json.getDoubleValue());
                default -> null;
            };
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Reads a number that fits into a double. */
    public static @Nullable Double number(JsonParser json, String member, Violations violations) throws IOException {
        if (json.currentToken().isNumeric() && Double.isFinite(json.getDoubleValue())) {
            return json.getDoubleValue();
        }
        return wrongType(json, member, "must be a number", violations);
    }

    static @Nullable List<String> texts(JsonParser json, String member, Violations violations) throws IOException {
        return texts(json, member, "must be an array of strings", violations);
    }

    /** Reads an array of strings; {@code rule} is the message for other types. */
    public static @Nullable List<String> texts(JsonParser json, String member, String rule, Violations violations)
            throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return wrongType(json, member, rule, violations);
        }
        List<String> texts = new ArrayList<>();
        boolean onlyTexts = true;
        boolean tooMany = false;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() == JsonToken.VALUE_STRING && !violations.acceptsText()) {
                tooMany = true;
            } else if (json.currentToken() == JsonToken.VALUE_STRING) {
                texts.add(storable(json.getText()));
            } else {
                json.skipChildren();
                onlyTexts = false;
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

    static @Nullable Long count(JsonParser json, String member, Violations violations) throws IOException {
        Long count = countOrNull(json);
        return count != null ? count : wrongType(json, member, "must be a whole number from 0 to " + MAX_COUNT, violations);
    }

    static @Nullable Long countOrNull(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return json.getNumberType() != JsonParser.NumberType.BIG_INTEGER && json.getLongValue() >= 0
                    && json.getLongValue() <= MAX_COUNT ? json.getLongValue() : null;
        }
        if (json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
            double value = json.getDoubleValue();
            return value >= 0 && value <= MAX_COUNT && value == Math.rint(value) ? (Long) (long) value : null;
        }
        return null;
    }

    static @Nullable BigDecimal cost(JsonParser json, String member, Violations violations) throws IOException {
        BigDecimal cost = costOrNull(json);
        return cost != null ? cost
                : wrongType(json, member, "must be a number, 0 or more and below 1000000000, or the same as a string",
                        violations);
    }

    /** Reads a cost, rounded half to even at nine decimal places; returns null for other values. */
    static @Nullable BigDecimal costOrNull(JsonParser json) throws IOException {
        BigDecimal cost = decimal(json);
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

    private static @Nullable BigDecimal decimal(JsonParser json) throws IOException {
        try {
            return switch (json.currentToken()) {
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDecimalValue();
                case VALUE_STRING -> json.getTextLength() > 64 ? null : new BigDecimal(json.getText());
                default -> null;
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Skips a value of the wrong type, adds a violation and returns null. */
    public static <T> @Nullable T wrongType(JsonParser json, String member, String rule, Violations violations)
            throws IOException {
        json.skipChildren();
        violations.wrongType(member, rule);
        return null;
    }

    /**
     * Replaces U+0000, which PostgreSQL's text type cannot store, and unpaired surrogates with U+FFFD. JSON members are
     * not affected: they are stored with their escapes.
     */
    public static String storable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isSurrogate(c)) {
                return replaceInvalid(text);
            }
        }
        return text;
    }

    private static String replaceInvalid(String text) {
        StringBuilder valid = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
                .forEach(valid::appendCodePoint);
        return valid.toString();
    }
}
