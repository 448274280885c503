package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex;
import dev.waybill.common.lake.TextIndexWriter;
import dev.waybill.common.testing.ParquetRuns;
import dev.waybill.common.testing.TestDatabase;

/** DuckDB, PostgreSQL and {@link ReferenceEvaluator} agree about which runs match a filter. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DuckDbConditionTest {

    private static final Logger LOG = Logger.getLogger(DuckDbConditionTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final int FILTERS = Integer.getInteger("waybill.test.filters", 100);

    private final Random random = new Random(SEED);
    private FilteredRuns stored;
    private List<SampleRun> runs;
    private Connection duckDb;
    private FilterAgreement agreement;
    private Path index;

    @BeforeAll
    void storeRuns(@TempDir Path directory) throws Exception {
        LOG.infof("-Dwaybill.test.seed=%s reproduces this run", SEED);
        stored = new FilteredRuns();
        runs = new SampleRuns(random).some(300);
        stored.store(runs);
        index = writeIndex(directory.resolve("index"));
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duckDb.createStatement(); Connection postgres = TestDatabase.get().superuser()) {
            statement.execute("SET TimeZone = 'UTC'");
            List<LocalDate> days = runs.stream().map(run -> run.startTime().atOffset(ZoneOffset.UTC).toLocalDate()).distinct()
                    .toList();
            for (LocalDate day : days) {
                ParquetRuns.write(postgres, SampleRuns.TENANT, day, directory.resolve(day + ".parquet"), true);
            }
            assertThat(Files.list(directory)).hasSize(days.size() + 1);
            statement.execute("CREATE TABLE runs AS FROM read_parquet('" + directory + "/*.parquet')");
        }
        agreement = new FilterAgreement(runs, stored, duckDb, SEED);
    }

    @AfterAll
    void close() throws Exception {
        duckDb.close();
        stored.close();
    }

    static Stream<String> writtenFilters() {
        return ValidFilters.written();
    }

    @ParameterizedTest
    @MethodSource("writtenFilters")
    void exampleFiltersFindTheExpectedRuns(String written) throws Exception {
        assertAgreement(FilterParser.parse(written));
    }

    @Test
    void randomFiltersFindTheExpectedRuns() throws Exception {
        assertAgreementOfRandomFilters(FILTERS);
    }

    @Test
    @Tag("full")
    void manyRandomFiltersFindTheExpectedRuns() throws Exception {
        assertAgreementOfRandomFilters(4 * FILTERS);
    }

    private void assertAgreementOfRandomFilters(int count) throws Exception {
        RandomFilters filters = new RandomFilters(random);
        int selective = 0;
        for (int i = 0; i < count; i++) {
            selective += assertAgreement(filters.next()) ? 1 : 0;
        }
        assertThat(selective).as("filters for which DuckDB excludes runs").isGreaterThan(count / 5);
    }

    @Test
    void hostileTextsAreTreatedAsTextEverywhere() throws Exception {
        for (String text : List.of("'", "''", "'; DROP TABLE runs; --", "\\", "\\'", "\"", "$1", "?", "%", "{column}", "\n",
                "\u0001", "�", "😀", "]", "/", "\\u0041", "\u212a", "İ", "\ua7dc", "a\u019bb", "ß", "x".repeat(30_000))) {
            FilterValue value = new FilterValue.Text(text);
            String pattern = text.replace("\\", "\\\\");
            for (Filter filter : List.of(new Filter.Equal(FilterField.NAME, value),
                    new Filter.Like(FilterField.NAME, pattern, true), new Filter.Like(FilterField.INPUT_VALUE, pattern, true),
                    new Filter.Like(FilterField.INPUT_KEY, pattern, false), new Filter.HasKey(PairType.OUTPUT, text),
                    new Filter.Tagged(text), new Filter.Search(List.of(text.isBlank() ? "x" : text.replace(" ", ""))),
                    new Filter.OneOf(FilterField.METADATA_VALUE, List.of(value)))) {
                assertAgreement(filter);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "gte(total_tokens, 9223372036854775807)", "gte(total_cost, 999999999.999999999)" })
    void statisticsExcludeRowsWithoutReadingThem(String filter) throws Exception {
        DuckDbCondition condition = DuckDbCondition.of(List.of(FilterParser.parse(filter)), true).orElseThrow();
        String value = condition.values().getFirst().toString();
        try (Statement statement = duckDb.createStatement();
                ResultSet plan = statement
                        .executeQuery("EXPLAIN SELECT id FROM runs WHERE " + condition.sql().replace("?", value))) {
            assertThat(plan.next()).isTrue();
            assertThat(plan.getString(2)).contains("EMPTY_RESULT");
        }
    }

    @Test
    void latenciesExcludeRowsWithoutReadingThem() throws Exception {
        for (String filter : List.of("gt(latency, 1000000000)", "lte(latency, -1000000000)", "eq(latency, 1000000000)")) {
            DuckDbCondition condition = DuckDbCondition.of(List.of(FilterParser.parse(filter)), true).orElseThrow();
            try (PreparedStatement explain = duckDb.prepareStatement("EXPLAIN SELECT id FROM runs WHERE " + condition.sql())) {
                for (int i = 0; i < condition.values().size(); i++) {
                    explain.setObject(i + 1, condition.values().get(i));
                }
                try (ResultSet plan = explain.executeQuery()) {
                    assertThat(plan.next()).isTrue();
                    assertThat(plan.getString(2)).as(filter).contains("EMPTY_RESULT");
                }
            }
        }
    }

    @Test
    void filtersOnOtherTablesAreNotSupported() {
        assertThat(Stream.of("eq(feedback_key, \"a\")", "not(gt(feedback_score, 1))", "eq(session_name, \"a\")",
                "and(eq(name, \"a\"), like(app_path, \"/o/%\"))", "exists(feedback_key, \"a\")")
                .map(FilterParser::parse).map(filter -> DuckDbCondition.of(List.of(filter), true))).allMatch(Optional::isEmpty);
    }

    // PostgreSQL decides about each run that is found, so DuckDB must find the runs of every mapping.
    @Test
    void lowerCaseIsTheSameAsInPostgreSql() throws Exception {
        Set<String> different = new HashSet<>();
        try (Connection postgres = TestDatabase.get().superuser();
                PreparedStatement inPostgres = postgres.prepareStatement("SELECT lower(?)");
                PreparedStatement inDuckDb = duckDb.prepareStatement("SELECT lower(?::VARCHAR)")) {
            for (int first = 1; first < 0x1f000; first += first == 0xd7ff ? 0x801 : 1) {
                int last = Math.min(first + 510, first < 0xd800 ? 0xd7ff : 0x1efff);
                String text = IntStream.rangeClosed(first, last).mapToObj(Character::toString).collect(Collectors.joining());
                int[] expected = lower(inPostgres, text).codePoints().toArray();
                int[] actual = lower(inDuckDb, text).codePoints().toArray();
                for (int i = 0; i < expected.length; i++) {
                    // A character without lower case in PostgreSQL finds at least itself.
                    if (expected[i] != actual[i] && expected[i] != first + i
                            && (LowerCase.isCommon(first + i) || LowerCase.isCommon(expected[i]))) {
                        different.add(Character.toString(first + i));
                    }
                }
                first = last;
            }
        }
        assertThat(different).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ "οδος, ΟΔΟΣ", "ΟΔΟΣ, οδος", "i\u0307zmir, İZM", "İzmir, i\u0307zmir" })
    void wordsInDifferentCaseOfIcuAreFound(String text, String word) throws Exception {
        try (Connection postgres = TestDatabase.get().superuser();
                PreparedStatement contains = postgres.prepareStatement(
                        "SELECT strpos(lower(? COLLATE \"und-x-icu\"), lower(? COLLATE \"und-x-icu\")) > 0")) {
            contains.setString(1, text);
            contains.setString(2, word);
            try (ResultSet result = contains.executeQuery()) {
                result.next();
                assumeThat(result.getBoolean(1)).isTrue();
            }
        }
        DuckDbCondition condition = DuckDbCondition.of(List.of(new Filter.Like(FilterField.NAME, "%" + word + "%", true)), true)
                .orElseThrow();
        try (PreparedStatement select = duckDb
                .prepareStatement("SELECT " + condition.sql() + " FROM (SELECT '" + text + "' AS name)")) {
            select.setObject(1, condition.values().getFirst());
            try (ResultSet result = select.executeQuery()) {
                result.next();
                assertThat(result.getBoolean(1)).isTrue();
            }
        }
    }

    private static String lower(PreparedStatement statement, String text) throws SQLException {
        statement.setString(1, text);
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getString(1);
        }
    }

    /** Returns whether the condition excludes runs. */
    private boolean assertAgreement(Filter filter) throws Exception {
        Optional<FilterAgreement.Selection> selection = agreement.require(filter);
        if (selection.isPresent()) {
            assertThat(inIndex(selection.get().condition().texts())).as(FilterPrinter.print(filter) + " seed " + SEED)
                    .containsAll(selection.get().expected());
        }
        return selection.isPresent() && selection.get().found().size() < runs.size();
    }

    private Set<UUID> inIndex(TextCondition texts) throws IOException {
        return TextIndex.select(index, 0, texts).ranges().stream()
                .flatMap(range -> runs.subList((int) range.first(), (int) range.end()).stream()).map(SampleRun::id)
                .collect(Collectors.toSet());
    }

    // A block for each run.
    private Path writeIndex(Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            TextIndexWriter writer = new TextIndexWriter(target);
            for (SampleRun run : runs) {
                Stream.concat(Stream.of(run.name(), run.error()),
                        Optional.ofNullable(run.tags()).stream().flatMap(List::stream))
                        .filter(Objects::nonNull).map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .forEach(text -> writer.addText(text, 0, text.length));
                Stream.of(run.inputs(), run.outputs(), run.metadata()).filter(Objects::nonNull)
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .forEach(text -> writer.addDocument(text, 0, text.length));
                writer.endRow();
                writer.endBlock();
            }
            writer.finish(0);
        }
        return file;
    }
}
