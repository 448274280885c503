package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

/** Any text is a filter or a syntax error with a position in it; no condition contains a value of its filter. */
class FilterFuzzTest {

    private static final Logger LOG = Logger.getLogger(FilterFuzzTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final int TEXTS = Integer.getInteger("waybill.test.fuzz", 20_000);

    private static final List<String> TOKENS = List.of("and", "or", "not", "eq", "neq", "gt", "gte", "lt", "lte", "like",
            "ilike",
            "has", "in", "search", "exists", "(", "(", "(", ")", ")", ")", "[", "]", ",", ",", ",", "\"", "'", "\\", "\\u00",
            "name",
            "tags", "latency", "start_time", "input_key", "input_value", "feedback_score", "is_root", "id", "null", "true",
            "false",
            "\"5s\"", "'x'", "\"2026-11-20\"", "5", "-1", "1e9", "1e999999999999", ".", " ", "\n", "\0", "\ud800", "😀", "é",
            "-", "+",
            "--", ";", "/*", "$1", "?");

    private final Random random = new Random(SEED);
    private final List<String> validFilters = ValidFilters.written().toList();

    FilterFuzzTest() {
        LOG.infof("-Dwaybill.test.seed=%s reproduces this run", SEED);
    }

    @Test
    void randomCharactersAreFiltersOrSyntaxErrors() {
        manyTimes(() -> IntStream.range(0, random.nextInt(60))
                .mapToObj(_ -> String.valueOf((char) (random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(128))))
                .collect(Collectors.joining()));
    }

    @Test
    void randomTokensAreFiltersOrSyntaxErrors() {
        manyTimes(() -> IntStream.range(0, random.nextInt(40))
                .mapToObj(_ -> TOKENS.get(random.nextInt(TOKENS.size())))
                .collect(Collectors.joining(random.nextBoolean() ? "" : " ")));
    }

    @Test
    void damagedFiltersAreFiltersOrSyntaxErrors() {
        manyTimes(() -> {
            StringBuilder text = new StringBuilder(validFilters.get(random.nextInt(validFilters.size())));
            for (int i = random.nextInt(3); i >= 0 && !text.isEmpty(); i--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, TOKENS.get(random.nextInt(TOKENS.size())));
                    default -> text.setLength(at);
                }
            }
            return text.toString();
        });
    }

    @Test
    void printedFiltersParseToTheSameFilter() {
        RandomFilters filters = new RandomFilters(random);
        for (int i = 0; i < 2_000; i++) {
            Filter filter = filters.next();
            String printed = FilterPrinter.print(filter);
            assertThat(FilterParser.parse(printed)).as("%s (seed %s)", printed, SEED).isEqualTo(filter);
        }
    }

    private void manyTimes(Supplier<String> texts) {
        for (int i = 0; i < TEXTS; i++) {
            String text = texts.get();
            try {
                Filter filter = FilterParser.parse(text);
                assertThat(FilterSql.of(filter, "runs", PlaceholderStyle.settings()).condition()).isNotEmpty();
            } catch (FilterSyntaxException error) {
                assertThat(error.position()).as("%s (seed %s)", text, SEED).isBetween(1, text.length() + 1);
                assertThat(error.getMessage()).doesNotContain("\0");
            } catch (RuntimeException | StackOverflowError bug) {
                throw new AssertionError("seed " + SEED + ": " + text, bug);
            }
        }
    }
}
