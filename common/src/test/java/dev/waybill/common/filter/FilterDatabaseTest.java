package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both ways of executing a filter in PostgreSQL find the same runs as {@link ReferenceEvaluator}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterDatabaseTest {

    private static final Logger LOG = Logger.getLogger(FilterDatabaseTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final int FILTERS = Integer.getInteger("waybill.test.filters", 400);

    private final Random random = new Random(SEED);
    private FilteredRuns stored;
    private List<SampleRun> runs;

    @BeforeAll
    void storeRuns() throws Exception {
        LOG.infof("-Dwaybill.test.seed=%s reproduces this run", SEED);
        stored = new FilteredRuns();
        runs = new SampleRuns(random).some(120);
        stored.store(runs);
    }

    @AfterAll
    void close() throws Exception {
        stored.close();
    }

    static Stream<String> writtenFilters() {
        return ValidFilters.written();
    }

    @ParameterizedTest
    @MethodSource("writtenFilters")
    void exampleFiltersFindTheExpectedRuns(String written) throws Exception {
        assertFindsTheSame(FilterParser.parse(written), runs);
    }

    @Test
    void randomFiltersFindTheExpectedRuns() throws Exception {
        RandomFilters filters = new RandomFilters(random);
        int finding = 0;
        for (int i = 0; i < FILTERS; i++) {
            int found = assertFindsTheSame(filters.next(), runs);
            finding += found > 0 && found < runs.size() ? 1 : 0;
        }
        assertThat(finding).as("filters that match some but not all runs").isGreaterThan(FILTERS / 3);
    }

    @Test
    void hostileTextsAreTreatedAsTextEverywhere() throws Exception {
        List<String> hostile = List.of("'", "''", "'; DROP TABLE trace.runs; --", "\\", "\\'", "\"", "$1", "?", "%", "$$",
                "$x$",
                "/* */", "--", "E'\\x'", "{run}", "{found}", "\n", "\u0001", "\u0002", "�", "😀", "%s", "' || name || '",
                "') OR TRUE --", "]", "(SELECT 1)", ";", "\u2028", "x".repeat(30_000));
        for (String text : hostile) {
            FilterValue value = new FilterValue.Text(text);
            String pattern = text.replace("\\", "\\\\");
            List<Filter> filters = new ArrayList<>(List.of(
                    new Filter.Equal(FilterField.NAME, value),
                    new Filter.Compare(FilterField.ERROR, Filter.Comparison.GREATER, value),
                    new Filter.Like(FilterField.NAME, pattern, false),
                    new Filter.Like(FilterField.INPUT_VALUE, pattern, true),
                    new Filter.Like(FilterField.INPUT_KEY, pattern, false),
                    new Filter.OneOf(FilterField.OUTPUT_VALUE, List.of(value)),
                    new Filter.HasKey(PairType.INPUT, text),
                    new Filter.HasKey(PairType.FEEDBACK, text),
                    new Filter.Like(FilterField.FEEDBACK_KEY, pattern, false),
                    new Filter.Tagged(text),
                    new Filter.And(List.of(new Filter.Equal(FilterField.METADATA_KEY, value),
                            new Filter.Equal(FilterField.METADATA_VALUE, value)))));
            if (!text.isBlank() && !text.contains(" ")) {
                filters.add(new Filter.Search(List.of(text)));
            }
            for (Filter filter : filters) {
                assertFindsTheSame(filter, runs);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("writtenFilters")
    void negatedFilterSelectsTheComplement(String written) throws Exception {
        Filter filter = FilterParser.parse(written);

        Map<UUID, Boolean> expected = stored.selected(filter);
        Map<UUID, Boolean> negated = stored.selected(new Filter.Not(filter));

        expected.replaceAll((_, matches) -> !matches);
        assertThat(negated).isEqualTo(expected);
    }

    private int assertFindsTheSame(Filter filter, List<SampleRun> runs) throws Exception {
        Map<UUID, Boolean> expected = runs.stream()
                .collect(Collectors.toMap(SampleRun::id, run -> new ReferenceEvaluator(run).matches(filter)));
        Set<UUID> found = expected.keySet().stream().filter(expected::get).collect(Collectors.toSet());
        String written = FilterPrinter.print(filter);

        assertThat(stored.selected(filter)).as("%s (seed %s)", written, SEED).isEqualTo(expected);
        assertThat(stored.copied(filter)).as("%s (seed %s)", written, SEED).isEqualTo(found);
        return found.size();
    }
}
