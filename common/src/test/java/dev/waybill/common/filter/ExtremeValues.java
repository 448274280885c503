package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Values at which statistics of columns, or comparisons with them, may go wrong. */
final class ExtremeValues {

    private static final String MAX = Character.toString(Character.MAX_CODE_POINT);

    /**
     * Texts with common beginnings around the 64 bytes of stored bounds and the 8 bytes that DuckDB retains of them, characters
     * at the ends of the ranges of UTF-8, of which a bound may have no successor, and case that changes the order.
     */
    static final List<String> TEXTS = Stream.concat(
            Stream.of("", " ", "a", "A", "z", "Z", "m\u00fc", "M\u00dc", "100%", "a_b", "\\", "'", "\u0001", "\u007f", "\u0080",
                    "\u00bf", "\u00fc", "\u00ff", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\uffff", "\ud800\udc00",
                    "\ud83d\ude00", MAX, "\u0130", "\u212a", "\u00df", "e\u0301", "12345678", "123456789", "1234567\u00fc",
                    "1234567" + MAX, MAX.repeat(16), MAX.repeat(17), "\ud7ff".repeat(22), "\uffff".repeat(22),
                    "\u007f".repeat(65), "x".repeat(60) + MAX + "a", "x".repeat(61) + MAX, "long ".repeat(2_000)),
            Stream.of("", "\u007f", "\u0080", "\u00fc", "\ud7ff", "\ue000", "\uffff", MAX, "a", "ab", "b", "z", " ")
                    .flatMap(end -> Stream.of(62, 63, 64).map(length -> "x".repeat(length) + end)))
            .toList();

    static final List<Long> COUNTS = List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L, 0L, 1L, 50L, 1L << 53, (1L << 53) + 1,
            Long.MAX_VALUE - 1, Long.MAX_VALUE);

    static final List<BigDecimal> COSTS = Stream.of("-999999999.999999999", "-1", "-0.000000001", "0", "0.000000001", "0.1",
            "0.3", "1", "999999999.999999998", "999999999.999999999").map(text -> new BigDecimal(text).setScale(9)).toList();

    static final List<Instant> TIMES = Stream.of("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000001Z", "1582-10-04T23:59:59Z",
            "1582-10-10T12:00:00Z", "1582-10-15T00:00:00Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z",
            "1999-12-31T23:59:59.999999Z", "2000-01-01T00:00:00Z", "2262-04-11T23:47:16.854775Z",
            "2262-04-11T23:47:16.854776Z", "9999-12-31T23:59:59.999998Z", "9999-12-31T23:59:59.999999Z")
            .map(Instant::parse).toList();

    static final List<UUID> IDS = List.of(new UUID(0, 0), new UUID(0, 1), new UUID(Long.MAX_VALUE, -1),
            new UUID(Long.MIN_VALUE, 0), new UUID(-1, -1), SampleRuns.id(0));

    private static final List<BigDecimal> NUMBERS = Stream.of("-1e19", "-9223372036854775808.5", "-9223372036854775807.5",
            "-0.5", "0.5", "0.0000000005", "-0.0000000005", "1e-400", "-1e400", "1e400", "999999999.9999999985", "1e9", "-1e9",
            "9007199254740992.5", "9223372036854775806.5", "9223372036854775807.5", "1e19").map(BigDecimal::new).toList();

    private ExtremeValues() {
    }

    /** Returns numbers at and between stored ones. */
    static List<BigDecimal> numbers() {
        return Stream.of(NUMBERS, COSTS, COUNTS.stream().map(BigDecimal::valueOf).toList()).flatMap(List::stream).toList();
    }

    /** Returns the times at and beside stored ones. */
    static List<Instant> times() {
        return Stream.concat(TIMES.stream(), TIMES.stream()
                .flatMap(time -> Stream.of(time.minus(1, ChronoUnit.MICROS), time.plus(1, ChronoUnit.MICROS)))
                .filter(time -> !time.isBefore(TIMES.getFirst()) && !time.isAfter(TIMES.getLast())))
                .distinct()
                .toList();
    }
}
