package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Stored runs of a day with extreme values, and filters that compare with these. Blocks of consecutive runs have none, one, two
 * or many values of a column, so that statistics of files with small row groups have every form.
 */
public final class ExtremeRuns implements AutoCloseable {

    /** The workspace of the runs. */
    public static final UUID TENANT = SampleRuns.TENANT;
    /** The day on which all runs start. */
    public static final Instant DAY = SampleRuns.DAY;

    private static final int BLOCKS = 30;
    private static final int BLOCK_RUNS = 8;
    private static final List<FilterField> COLUMNS = Stream.of(FilterField.values())
            .filter(field -> field.pairType().isEmpty() && field != FilterField.SESSION_NAME && field != FilterField.APP_PATH
                    && field != FilterField.TAGS)
            .toList();

    private final long seed;
    private final Random random;
    private final FilteredRuns stored = new FilteredRuns();
    private final List<SampleRun> runs = new ArrayList<>();

    /** Stores runs with values that depend on the seed. */
    public ExtremeRuns(long seed) throws Exception {
        this.seed = seed;
        this.random = new Random(seed);
        for (int block = 0; block < BLOCKS; block++) {
            addBlock();
        }
        stored.store(runs);
    }

    /** Returns the number of runs. */
    public int size() {
        return runs.size();
    }

    /**
     * Asserts that PostgreSQL and the relation {@code runs} of DuckDB find the expected runs with random filters; returns the
     * number of filters that match some but not all runs.
     */
    public int requireAgreement(Connection duckDb, int filters) throws Exception {
        FilterAgreement agreement = new FilterAgreement(runs, stored, duckDb, seed);
        int selective = 0;
        for (int i = 0; i < filters; i++) {
            int found = agreement.require(filter(0)).map(selection -> selection.found().size()).orElse(0);
            selective += found > 0 && found < runs.size() ? 1 : 0;
        }
        return selective;
    }

    private void addBlock() {
        Supplier<@Nullable UUID> ids = column(ExtremeValues.IDS);
        Supplier<@Nullable Instant> times = column(ExtremeValues.TIMES);
        Supplier<@Nullable Instant> firstTokens = column(ExtremeValues.TIMES);
        Supplier<@Nullable Long> counts = column(ExtremeValues.COUNTS);
        Supplier<@Nullable Long> totals = column(ExtremeValues.COUNTS);
        Supplier<@Nullable BigDecimal> costs = column(ExtremeValues.COSTS);
        Supplier<@Nullable BigDecimal> totalCosts = column(ExtremeValues.COSTS);
        Supplier<@Nullable String> names = column(ExtremeValues.TEXTS);
        Supplier<@Nullable String> texts = column(ExtremeValues.TEXTS);
        Supplier<@Nullable String> errors = column(ExtremeValues.TEXTS);
        Supplier<@Nullable String> threads = column(ExtremeValues.TEXTS);
        Supplier<@Nullable String> tags = column(ExtremeValues.TEXTS);
        for (int i = 0; i < BLOCK_RUNS; i++) {
            int number = runs.size();
            UUID traceId = Objects.requireNonNullElse(ids.get(), SampleRuns.id(number));
            Instant start = number == BLOCKS * BLOCK_RUNS - 1 ? DAY.plus(1, ChronoUnit.DAYS).minus(1, ChronoUnit.MICROS)
                    : DAY.plus(number / 3, ChronoUnit.MICROS);
            runs.add(new SampleRun(TENANT, SampleRuns.id(number), SampleRuns.SESSION, SampleRuns.SESSION_NAME, traceId,
                    ids.get(), ids.get(), ids.get(), start, times.get(), firstTokens.get(), counts.get(), counts.get(),
                    totals.get(), costs.get(), costs.get(), totalCosts.get(), Objects.requireNonNullElse(names.get(), ""),
                    Objects.requireNonNullElse(texts.get(), "llm"), Objects.requireNonNullElse(texts.get(), "success"),
                    Objects.requireNonNullElse(texts.get(), "."), texts.get(), tags(tags), errors.get(), document(texts.get()),
                    document(errors.get()), thread(threads.get()), List.of()));
        }
    }

    /** Returns the values of a block in one column, null for some or all runs. */
    private <T> Supplier<@Nullable T> column(List<T> extremes) {
        int distinct = List.of(0, 1, 2, BLOCK_RUNS).get(random.nextInt(4));
        boolean hasNulls = random.nextBoolean();
        List<T> values = IntStream.range(0, distinct).mapToObj(_ -> anyOf(extremes)).toList();
        return () -> values.isEmpty() || hasNulls && random.nextInt(4) == 0 ? null : anyOf(values);
    }

    private @Nullable List<String> tags(Supplier<@Nullable String> tags) {
        return random.nextInt(3) == 0 ? null
                : IntStream.range(0, random.nextInt(3)).mapToObj(_ -> tags.get()).filter(Objects::nonNull).toList();
    }

    private static @Nullable String document(@Nullable String text) {
        return text == null ? null : JsonNodeFactory.instance.objectNode().put("text", text).toString();
    }

    // Threads have 1 to 500 characters.
    private static @Nullable String thread(@Nullable String text) {
        return text == null || text.isEmpty() || text.length() > 500 ? null
                : JsonNodeFactory.instance.objectNode().put("thread_id", text).toString();
    }

    private Filter filter(int depth) {
        return switch (random.nextInt(depth > 1 ? 8 : 12)) {
            case 0 -> new Filter.Present(anyOf(COLUMNS));
            case 1 -> new Filter.Tagged(anyOf(ExtremeValues.TEXTS));
            case 8 -> new Filter.Not(filter(depth + 1));
            case 9 -> new Filter.Or(List.of(filter(depth + 1), filter(depth + 1)));
            case 10, 11 -> new Filter.And(List.of(filter(depth + 1), filter(depth + 1)));
            default -> onColumn(anyOf(COLUMNS));
        };
    }

    private Filter onColumn(FilterField field) {
        List<Filter> forms = new ArrayList<>(List.of(new Filter.Equal(field, value(field)),
                new Filter.OneOf(field, List.of(value(field), value(field)))));
        if (field.type().supports(FilterFunction.GT)) {
            Stream.of(Filter.Comparison.values())
                    .forEach(comparison -> forms.add(new Filter.Compare(field, comparison, value(field))));
        }
        if (field.type().supports(FilterFunction.LIKE)) {
            forms.add(new Filter.Like(field, pattern(), false));
            forms.add(new Filter.Like(field, pattern(), true));
        }
        return anyOf(forms);
    }

    private FilterValue value(FilterField field) {
        return switch (field.type()) {
            case TEXT -> new FilterValue.Text(text());
            case ID -> new FilterValue.Id(random.nextBoolean() ? anyOf(ExtremeValues.IDS)
                    : anyOf(List.of(TENANT, SampleRuns.SESSION, SampleRuns.id(random.nextInt(2 * runs.size())))));
            case TIME -> new FilterValue.Time(random.nextBoolean() ? anyOf(ExtremeValues.times())
                    : anyOf(runs).startTime().plus(random.nextInt(3) - 1, ChronoUnit.MICROS));
            case DURATION -> new FilterValue.Number(latency().orElseGet(() -> anyOf(ExtremeValues.numbers())));
            case NUMBER -> new FilterValue.Number(anyOf(ExtremeValues.numbers()));
            case FLAG -> new FilterValue.Flag(random.nextBoolean());
            case TAGS, KEY, VALUE, SCORE -> throw new IllegalArgumentException(field.toString());
        };
    }

    // Stored texts, their beginnings, and texts around them.
    private String text() {
        String text = anyOf(ExtremeValues.TEXTS);
        int[] characters = text.codePoints().toArray();
        return switch (random.nextInt(3)) {
            case 0 -> text + anyOf(List.of("a", "\u0001", "\uffff", Character.toString(Character.MAX_CODE_POINT)));
            case 1 -> new String(characters, 0, random.nextInt(characters.length + 1));
            default -> text;
        };
    }

    private String pattern() {
        String text = text().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
        return anyOf(List.of(text, text + "%", text + "%", "%" + text, "%" + text + "%", text + "_", "_%" + text));
    }

    private Optional<BigDecimal> latency() {
        SampleRun run = anyOf(runs);
        return Optional.ofNullable(run.endTime())
                .map(end -> ReferenceEvaluator.seconds(Duration.between(run.startTime(), end)))
                .map(seconds -> seconds.add(new BigDecimal(anyOf(List.of("0", "0.0000005", "0.000001")))));
    }

    private <T> T anyOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @Override
    public void close() throws Exception {
        stored.close();
    }
}
