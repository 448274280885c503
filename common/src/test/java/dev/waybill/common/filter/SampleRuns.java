package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Generates runs from few names, keys and values, so that filters with the same names match some of them. */
final class SampleRuns {

    static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
    static final UUID TENANT = UUID.fromString("11111111-0000-4000-8000-000000000001");
    static final UUID SESSION = UUID.fromString("11111111-0000-4000-8000-000000000002");
    static final String SESSION_NAME = "filters";

    static final List<String> TEXTS = List.of("alpha", "Alpha", "beta", "", "true", "1", "null", "50% off", "a_b", "a\\_b",
            "it's", "say \"hi\"", "über", "ÜBER", "😀", "two words", "line\nbreak", "�", "\\u0000",
            "'); DROP TABLE trace.runs; --", "$1", "?", "waybill.filter_1", "/slash", "\u0001\u0002", "\u2028");
    static final List<String> KEYS = List.of("a", "b", "a.b", "a.b.c", "list", "list.0", "list.1", "list.a", "list.1.a", "0",
            "", ".", "a.", "dotted.name", "dotted", "A", "ü", "\"", "'", "\\", "�", "list.0.0", "a.0.b", "list.00");
    static final List<String> FEEDBACK_KEYS = List.of("correctness", "Correctness", "c", "a", "a.b", "list", "list.0", "", "ü",
            "'", "�");
    private static final List<BigDecimal> SCORES = Stream
            .of("0", "1", "1", "-1", "0.1", "0.3", "0.30000000000000004", "2", "100",
                    "1e300", "-1e-300")
            .map(BigDecimal::new).toList();
    private static final List<String> MEMBERS = List.of("a", "b", "c", "list", "0", "1", "", "dotted.name", "dotted", "name",
            "A", "ü", "\"", "'", "\\", "\0", "a.b", ".");
    private static final List<String> NUMBERS = List.of("0", "-0", "1", "1.0", "1.00", "1e0", "10e-1", "2", "-1", "0.1", "0.10",
            "1e2", "100", "12345678901234567890", "12345678901234567890.5", "1e400", "1E+400", "1e-400", "1e999", "1e1000",
            "1e999999", "-1e999999999999", "1e-999999", "0e99999", "1e000000001", "9".repeat(999), "9".repeat(2_000),
            "0." + "0".repeat(20_000) + "1");
    private static final List<String> STORED_TEXTS = List.of("\0", "\ud800", "\ude00\ud83d", "\ud83d\ud83d\ude00", "\\\0",
            "a\0b");

    private final Random random;

    SampleRuns(Random random) {
        this.random = random;
    }

    List<SampleRun> some(int count) {
        List<SampleRun> runs = new ArrayList<>(IntStream.range(0, count).mapToObj(this::run).toList());
        runs.add(withInputs(count, "{\"a\":" + "[".repeat(500) + "1" + "]".repeat(500) + "}"));
        runs.add(withInputs(count + 1, "{\"a\":".repeat(1_000) + "\"alpha\"" + "}".repeat(1_000)));
        runs.add(withInputs(count + 3, "{\"a\":" + "[".repeat(62) + "1,[\"alpha\"]" + "]".repeat(62) + "}"));
        runs.add(withInputs(count + 2, "{\"" + "a.".repeat(600) + "\":{\"a\":1}}"));
        return runs;
    }

    SampleRun run(int number) {
        return new SampleRun(TENANT, id(number), SESSION, SESSION_NAME, id(random.nextInt(3)),
                maybe(() -> id(random.nextInt(3))), maybe(() -> id(random.nextInt(3))), maybe(() -> id(random.nextInt(3))),
                time(), maybe(this::time), maybe(this::time),
                maybe(this::count), maybe(this::count), maybe(this::count), maybe(this::cost), maybe(this::cost),
                maybe(this::cost), anyOf(TEXTS), anyOf(List.of("llm", "tool", "chain")), anyOf(List.of("success", "error")),
                "20261120T000000000000Z" + id(number), maybe(() -> "longlived"),
                maybe(() -> IntStream.range(0, random.nextInt(3)).mapToObj(_ -> anyOf(TEXTS)).toList()),
                maybe(() -> anyOf(TEXTS)), maybe(this::document), maybe(this::document), maybe(this::document),
                IntStream.range(0, random.nextInt(4)).mapToObj(_ -> feedback()).toList());
    }

    <T> T anyOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    static UUID id(int number) {
        return new UUID(0x0193_9b5e_7c1d_7000L, 0x8000_0000_0000_0000L + number);
    }

    /** Returns the run with this number with other inputs. */
    SampleRun withInputs(int number, String inputs) {
        return run(number).withInputs(inputs);
    }

    private <T> @Nullable T maybe(Supplier<T> value) {
        return random.nextInt(4) == 0 ? null : value.get();
    }

    private SampleRun.Feedback feedback() {
        return new SampleRun.Feedback(anyOf(FEEDBACK_KEYS), maybe(() -> anyOf(SCORES)));
    }

    private Instant time() {
        return DAY.plus(random.nextInt(20) * 250_000L + random.nextInt(2), ChronoUnit.MICROS);
    }

    private long count() {
        return random.nextInt(4) * 50L;
    }

    private BigDecimal cost() {
        return BigDecimal.valueOf(random.nextInt(4), 3).setScale(9);
    }

    String document() {
        StringBuilder json = new StringBuilder();
        object(json, 0);
        return json.toString();
    }

    private void object(StringBuilder json, int depth) {
        json.append('{').append(whitespace());
        int members = random.nextInt(4) + (depth == 0 ? 1 : 0);
        for (int i = 0; i < members; i++) {
            json.append(i == 0 ? "" : "," + whitespace());
            string(json, anyOf(MEMBERS));
            json.append(whitespace()).append(':').append(whitespace());
            value(json, depth + 1);
        }
        json.append(whitespace()).append('}');
    }

    private void value(StringBuilder json, int depth) {
        switch (random.nextInt(depth > 4 ? 7 : 10)) {
            case 0, 1 -> string(json, anyOf(TEXTS));
            case 2 -> string(json, anyOf(STORED_TEXTS));
            case 3, 4 -> json.append(anyOf(random.nextBoolean() ? NUMBERS : NUMBERS.subList(0, 11)));
            case 5 -> json.append(random.nextBoolean());
            case 6 -> json.append("null");
            case 7, 8 -> object(json, depth);
            default -> list(json, depth);
        }
    }

    private void list(StringBuilder json, int depth) {
        json.append('[');
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
            json.append(i == 0 ? "" : ",").append(whitespace());
            value(json, depth + 1);
        }
        json.append(']');
    }

    // Escapes half of the characters that may be escaped, in all ways that JSON offers.
    private void string(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean must = c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c);
            if (c == '\\' || c == '"' || c == '/' && random.nextBoolean()) {
                json.append('\\').append(c);
            } else if (c == '\n') {
                json.append("\\n");
            } else if (must && !isPair(text, i) || random.nextInt(6) == 0) {
                json.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            } else if (must) {
                json.append(c).append(text.charAt(++i));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    private static boolean isPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index)) && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }

    private String whitespace() {
        return anyOf(List.of("", "", "", " ", "\n", "\t\r\n"));
    }
}
