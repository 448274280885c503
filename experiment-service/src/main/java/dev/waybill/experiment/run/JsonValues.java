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
 * Reads the value a parser stands on as what a member must be, and steps over it when it is something else. Null is as good as
 * absent everywhere.
 */
public final class JsonValues {

    /** The largest number that JSON readers of every language keep exact. */
    private static final long MAX_COUNT = (1L << 53) - 1;
    private static final int COST_SCALE = 9;
    private static final int COST_DIGITS_BEFORE_POINT = 9;

    private JsonValues() {
    }

    /** The text the parser stands on, as PostgreSQL can keep it. */
    public static @Nullable String text(JsonParser json, String member, Violations found) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return storable(json.getText());
        }
        return wrongType(json, member, "must be a string", found);
    }

    /** The UUID the parser stands on. */
    public static @Nullable UUID id(JsonParser json, String member, Violations found) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            Optional<UUID> id = RunIds.parse(json.getText());
            if (id.isPresent()) {
                return id.get();
            }
        }
        return wrongType(json, member, "must be a UUID", found);
    }

    /** The timestamp the parser stands on; text only, as everywhere but in traces. */
    public static @Nullable Instant timestamp(JsonParser json, String member, Violations found) throws IOException {
        Instant time = json.currentToken() == JsonToken.VALUE_STRING ? timeOrNull(json) : null;
        return time != null ? time
                : wrongType(json, member, "must be an ISO 8601 timestamp such as 2026-11-21T08:00:00Z", found);
    }

    static @Nullable Instant time(JsonParser json, String member, Violations found) throws IOException {
        Instant time = timeOrNull(json);
        return time != null ? time
                : wrongType(json, member, "must be an ISO 8601 timestamp, or milliseconds since 1970 as a number", found);
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

    /** The number the parser stands on, as far as a double can hold it. */
    public static @Nullable Double number(JsonParser json, String member, Violations found) throws IOException {
        if (json.currentToken().isNumeric() && Double.isFinite(json.getDoubleValue())) {
            return json.getDoubleValue();
        }
        return wrongType(json, member, "must be a number", found);
    }

    static @Nullable List<String> texts(JsonParser json, String member, Violations found) throws IOException {
        return texts(json, member, "must be an array of strings", found);
    }

    /** The texts of the array the parser stands on; {@code rule} says what they must be. */
    public static @Nullable List<String> texts(JsonParser json, String member, String rule, Violations found)
            throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return wrongType(json, member, rule, found);
        }
        List<String> texts = new ArrayList<>();
        boolean onlyTexts = true;
        boolean tooMany = false;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() == JsonToken.VALUE_STRING && !found.acceptsText()) {
                tooMany = true;
            } else if (json.currentToken() == JsonToken.VALUE_STRING) {
                texts.add(storable(json.getText()));
            } else {
                json.skipChildren();
                onlyTexts = false;
            }
        }
        if (!onlyTexts) {
            found.wrongType(member, rule);
        }
        if (tooMany) {
            found.invalid(member, "makes it more than 100,000 texts in one request; send it in several");
        }
        return texts;
    }

    static @Nullable Long count(JsonParser json, String member, Violations found) throws IOException {
        Long count = countOrNull(json);
        return count != null ? count : wrongType(json, member, "must be a whole number from 0 to " + MAX_COUNT, found);
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

    static @Nullable BigDecimal cost(JsonParser json, String member, Violations found) throws IOException {
        BigDecimal cost = costOrNull(json);
        return cost != null ? cost
                : wrongType(json, member, "must be a number, 0 or more and below 1000000000, or the same as a string", found);
    }

    /** Nine digits after the point are kept, the rest is rounded to even. */
    static @Nullable BigDecimal costOrNull(JsonParser json) throws IOException {
        BigDecimal cost = decimal(json);
        // The scale comes from the sender: numbers far from 1 must not be written out before they were judged.
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

    /** Steps over a value of a wrong type and notes it; answers null. */
    public static <T> @Nullable T wrongType(JsonParser json, String member, String rule, Violations found) throws IOException {
        json.skipChildren();
        found.wrongType(member, rule);
        return null;
    }

    /**
     * PostgreSQL's text has no U+0000, and half a surrogate pair is no character; both become U+FFFD. JSON members keep theirs,
     * since they stay the escapes they came as.
     */
    public static String storable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isSurrogate(c)) {
                return mended(text);
            }
        }
        return text;
    }

    private static String mended(String text) {
        StringBuilder mended = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
                .forEach(mended::appendCodePoint);
        return mended.toString();
    }
}
