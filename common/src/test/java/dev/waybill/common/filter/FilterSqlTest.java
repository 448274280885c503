package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSqlTest {

    private static final Logger LOG = Logger.getLogger(FilterSqlTest.class);
    private static final List<String> PREFIXES = List.of("'$9::text {found} ", "'", "''", "\\", "\\'", "\"", "$$", "$x$", "\0",
            "waybill.filter_1", "waybill.tenant_id", "') OR TRUE --", "/*", "{run}{document}{keys}", "%s", "?", "\ud800");
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());

    static Stream<String> writtenFilters() {
        return ValidFilters.written();
    }

    @ParameterizedTest
    @MethodSource("writtenFilters")
    void sqlTextDoesNotDependOnValues(String written) {
        assertContainsNoValue(FilterParser.parse(written));
    }

    @Test
    void sqlTextOfRandomFiltersDoesNotDependOnValues() {
        LOG.infof("-Dwaybill.test.seed=%s reproduces this run", SEED);
        RandomFilters filters = new RandomFilters(new Random(SEED));
        for (int i = 0; i < 2_000; i++) {
            assertContainsNoValue(filters.next());
        }
    }

    @Test
    void numberedPlaceholdersStartAtTheRequestedIndex() {
        FilterSql sql = of("and(eq(name, 'x'), gt(total_tokens, 5))", PlaceholderStyle.numbered(4));

        assertThat(sql.condition())
                .isEqualTo("((runs.name COLLATE \"C\" = $4::text AND coalesce(runs.total_tokens > $5::numeric, FALSE)))");
        assertThat(sql.bindables()).containsExactly("x", new BigDecimal(5));
    }

    @Test
    void settingsAreReadOncePerStatement() {
        FilterSql sql = of("or(eq(is_root, true), gte(start_time, '2026-11-20T10:00:00+02:00'))", PlaceholderStyle.settings());

        assertThat(sql.condition())
                .isEqualTo("(((runs.parent_run_id IS NULL) = (SELECT current_setting('waybill.filter_1')::boolean)"
                        + " OR runs.start_time >= (SELECT current_setting('waybill.filter_2')::timestamptz)))");
        assertThat(sql.settings()).containsExactly(
                Map.entry("waybill.filter_1", "true"),
                Map.entry("waybill.filter_2", "2026-11-20T08:00:00.000000Z"));
    }

    @Test
    void valuesAreBoundWithTheirTypes() {
        FilterSql sql = of("""
                and(eq(id, "01939b5e-7c1d-7000-8000-000000000001"), lt(start_time, "2026-11-20"), eq(is_root, false),
                    eq(input_value, true))""", PlaceholderStyle.numbered(1));

        assertThat(sql.bindables()).containsExactly(UUID.fromString("01939b5e-7c1d-7000-8000-000000000001"),
                OffsetDateTime.of(2026, 11, 20, 0, 0, 0, 0, ZoneOffset.UTC), false, "true");
    }

    @Test
    void feedbackIsRestrictedToRunAndWorkspace() {
        FilterSql sql = of("and(eq(feedback_key, 'a'), gte(feedback_score, 0.5))", PlaceholderStyle.numbered(1));

        assertThat(sql.condition()).isEqualTo("""
                (EXISTS (
                    SELECT FROM trace.feedback f_feedback
                    WHERE f_feedback.tenant_id = runs.tenant_id AND f_feedback.run_id = runs.id \
                AND f_feedback.key COLLATE "C" IN ($1::text) \
                AND coalesce(f_feedback.score::text::numeric >= $2::numeric, FALSE)
                    OFFSET 0
                ))""");
        assertThat(sql.bindables()).containsExactly("a", new BigDecimal("0.5"));
    }

    @ParameterizedTest
    @MethodSource("writtenFilters")
    void feedbackIsReadOnlyIfTheFilterUsesIt(String written) {
        boolean reads = of(written, PlaceholderStyle.settings()).condition().contains("trace.feedback");

        assertThat(reads).isEqualTo(written.contains("feedback_"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "runs r", "f_walk", "r;", "R", "\"r\"", "1" })
    void rejectsInvalidAliases(String alias) {
        Filter filter = FilterParser.parse("exists(error)");

        assertThatThrownBy(() -> FilterSql.of(filter, alias, PlaceholderStyle.settings()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static FilterSql of(String written, PlaceholderStyle style) {
        return FilterSql.of(FilterParser.parse(written), "runs", style);
    }

    private static void assertContainsNoValue(Filter filter) {
        FilterSql sql = FilterSql.of(filter, "runs", PlaceholderStyle.numbered(1));
        FilterSql set = FilterSql.of(filter, "runs", PlaceholderStyle.settings());
        for (String prefix : PREFIXES) {
            Filter other = withOtherValues(filter, prefix);
            String written = FilterPrinter.print(filter);

            assertThat(FilterSql.of(other, "runs", PlaceholderStyle.numbered(1)).condition())
                    .as("%s (seed %s)", written, SEED).isEqualTo(sql.condition());
            assertThat(FilterSql.of(other, "runs", PlaceholderStyle.settings()).condition())
                    .as("%s (seed %s)", written, SEED).isEqualTo(set.condition());
        }
        assertThat(Pattern.compile("\\$(\\d+)::").matcher(sql.condition()).results()
                .map(MatchResult::group).map(number -> number.replaceAll("\\D", "")).distinct().sorted())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, sql.values().size()).mapToObj(Integer::toString).sorted()
                        .toList());
    }

    private static Filter withOtherValues(Filter filter, String prefix) {
        return switch (filter) {
            case Filter.And and ->
                new Filter.And(and.conditions().stream().map(inner -> withOtherValues(inner, prefix)).toList());
            case Filter.Or or -> new Filter.Or(or.conditions().stream().map(inner -> withOtherValues(inner, prefix)).toList());
            case Filter.Not not -> new Filter.Not(withOtherValues(not.condition(), prefix));
            case Filter.Equal equal -> new Filter.Equal(equal.field(), other(equal.value(), prefix));
            case Filter.Compare compare ->
                new Filter.Compare(compare.field(), compare.comparison(), other(compare.value(), prefix));
            case Filter.Like like -> new Filter.Like(like.field(), other(like.pattern(), prefix), like.ignoreCase());
            case Filter.OneOf oneOf ->
                new Filter.OneOf(oneOf.field(), oneOf.values().stream().map(value -> other(value, prefix)).toList());
            case Filter.Present present -> present;
            case Filter.Tagged tagged -> new Filter.Tagged(other(tagged.tag(), prefix));
            case Filter.Search search ->
                new Filter.Search(search.words().stream().map(value -> other(value, prefix)).toList());
            case Filter.HasKey hasKey -> new Filter.HasKey(hasKey.pairType(), other(hasKey.key(), prefix));
        };
    }

    private static String other(String text, String prefix) {
        return prefix + text;
    }

    private static FilterValue other(FilterValue value, String prefix) {
        return switch (value) {
            case FilterValue.Text text -> new FilterValue.Text(other(text.value(), prefix));
            case FilterValue.Number number -> new FilterValue.Number(number.value().add(BigDecimal.TEN));
            case FilterValue.Flag flag -> new FilterValue.Flag(!flag.value());
            case FilterValue.Time time -> new FilterValue.Time(time.value().plusSeconds(1));
            case FilterValue.Id id -> new FilterValue.Id(new UUID(id.value().getMostSignificantBits(), ~id.value()
                    .getLeastSignificantBits()));
        };
    }
}
