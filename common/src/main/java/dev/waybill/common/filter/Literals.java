package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.waybill.common.filter.FilterValue.Flag;
import dev.waybill.common.filter.FilterValue.Id;
import dev.waybill.common.filter.FilterValue.Number;
import dev.waybill.common.filter.FilterValue.Text;
import dev.waybill.common.filter.FilterValue.Time;
import dev.waybill.common.time.Timestamps;

/** Converts a literal to a value of a field's type; empty if the literal is not valid for the type. */
final class Literals {

    // Far beyond the range of a double or a column, and still cheap for PostgreSQL to convert.
    private static final int MAX_NUMBER_LENGTH = 100;
    private static final int MAX_SCALE = 500;
    private static final int MAX_DURATION_LENGTH = 30;

    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}");
    private static final Pattern DAY_FORM = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern DURATION_FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)");
    private static final Map<String, BigDecimal> SECONDS = Map.of(
            "ms", new BigDecimal("0.001"),
            "s", BigDecimal.ONE,
            "m", BigDecimal.valueOf(60),
            "h", BigDecimal.valueOf(3600));

    private Literals() {
    }

    static Optional<FilterValue> read(Token token, FilterType type) {
        return switch (type) {
            case TEXT, KEY -> text(token);
            case ID -> id(token);
            case TIME -> time(token);
            case NUMBER, SCORE -> number(token);
            case DURATION -> token.is(Token.Kind.STRING) ? duration(token.text()) : number(token);
            case FLAG -> flag(token);
            case TAGS -> Optional.empty();
            case VALUE -> text(token)
                    .or(() -> number(token))
                    .or(() -> flag(token));
        };
    }

    private static Optional<FilterValue> text(Token token) {
        return token.is(Token.Kind.STRING) ? Optional.of(new Text(token.text())) : Optional.empty();
    }

    private static Optional<FilterValue> flag(Token token) {
        return token.isWord("true") || token.isWord("false")
                ? Optional.of(new Flag(token.isWord("true")))
                : Optional.empty();
    }

    private static Optional<FilterValue> number(Token token) {
        if (!token.is(Token.Kind.NUMBER) || token.text().length() > MAX_NUMBER_LENGTH) {
            return Optional.empty();
        }
        try {
            BigDecimal number = new BigDecimal(token.text());
            return Math.abs((long) number.scale()) <= MAX_SCALE ? Optional.of(new Number(number)) : Optional.empty();
        } catch (NumberFormatException e) {
            // The exponent is out of range.
            return Optional.empty();
        }
    }

    private static Optional<FilterValue> id(Token token) {
        if (!token.is(Token.Kind.STRING) || !UUID_FORM.matcher(token.text()).matches()) {
            return Optional.empty();
        }
        String digits = token.text().replace("-", "");
        return Optional.of(new Id(new UUID(Long.parseUnsignedLong(digits, 0, 16, 16),
                Long.parseUnsignedLong(digits, 16, 32, 16))));
    }

    private static Optional<FilterValue> time(Token token) {
        if (!token.is(Token.Kind.STRING)) {
            return Optional.empty();
        }
        boolean day = DAY_FORM.matcher(token.text()).matches();
        try {
            Instant time = Timestamps.parse(day ? token.text() + "T00:00:00Z" : token.text());
            return Optional.of(new Time(time));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<FilterValue> duration(String text) {
        Matcher duration = DURATION_FORM.matcher(text);
        if (text.length() > MAX_DURATION_LENGTH || !duration.matches()) {
            return Optional.empty();
        }
        BigDecimal unit = SECONDS.getOrDefault(duration.group(2), BigDecimal.ONE);
        return Optional.of(new Number(new BigDecimal(duration.group(1)).multiply(unit)));
    }
}
