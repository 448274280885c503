package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.waybill.common.filter.Filter.Comparison;

/** Generates filters that use every part of the language, with names, keys and values of {@link SampleRuns}. */
final class RandomFilters {

    private static final List<String> PATTERNS = List.of("%", "%a%", "a%", "_", "%\\%%", "al_ha", "A\\_b", "a\\\\_b", "%\"%",
            "Ü%", "%'%", "", "\\a%", "%%%a%%%", "😀", "__", "%.%", "list%", "%�%", "2026%", "/o/%");
    private static final List<String> WORDS = List.of("alpha", "ÜBER", "hi", "\"hi\"", "50%", "a\\_b", "DROP", "it's", "�",
            "\\u0000", "😀", "/slash", "true", "1e2", "a", "zebra", "\u0001", "nbreak", "break");
    private static final List<BigDecimal> NUMBERS = Stream.of("0", "1", "1.0", "1.000", "1E0", "2", "-1", "0.1", "100", "1e2",
            "50", "0.3", "0.30000000000000004", "1e300", "12345678901234567890", "1e400", "1e-400", "0.001", "1.25")
            .map(BigDecimal::new).toList();

    private final Random random;
    private final SampleRuns samples;

    RandomFilters(Random random) {
        this.random = random;
        this.samples = new SampleRuns(random);
    }

    Filter next() {
        return filter(0);
    }

    private Filter filter(int depth) {
        return switch (random.nextInt(depth > 2 ? 6 : 10)) {
            case 0 -> anyField();
            case 1 -> onField(samples.anyOf(List.of(FilterField.values())));
            case 2 -> onField(samples.anyOf(pairFields()));
            case 3 -> other();
            case 4, 5 -> pair();
            case 6 -> new Filter.Not(filter(depth + 1));
            case 7 -> new Filter.Or(some(() -> filter(depth + 1)));
            default -> new Filter.And(some(() -> filter(depth + 1)));
        };
    }

    private Filter anyField() {
        return new Filter.Present(samples.anyOf(List.of(FilterField.values())));
    }

    private static List<FilterField> pairFields() {
        return Arrays.stream(FilterField.values()).filter(field -> field.pairType().isPresent()).toList();
    }

    private Filter other() {
        return switch (random.nextInt(3)) {
            case 0 -> new Filter.Tagged(samples.anyOf(SampleRuns.TEXTS));
            case 1 -> new Filter.Search(some(() -> samples.anyOf(WORDS)));
            default -> hasKey(samples.anyOf(List.of(PairType.values())));
        };
    }

    private Filter hasKey(PairType pairType) {
        return new Filter.HasKey(pairType, samples.anyOf(keys(pairType)));
    }

    /** Returns conditions on the key and the value of one pair type, in one {@code and}. */
    private Filter pair() {
        PairType pairType = samples.anyOf(List.of(PairType.values()));
        FilterField key = pairFields().stream().filter(field -> field.isKeyOf(pairType)).findFirst().orElseThrow();
        FilterField value = pairFields().stream().filter(field -> field.isValueOf(pairType)).findFirst().orElseThrow();
        return new Filter.And(some(() -> switch (random.nextInt(8)) {
            case 0, 1, 2 -> new Filter.Equal(key, text(keys(pairType)));
            case 3 -> onField(key);
            case 4 -> new Filter.Or(some(() -> onField(random.nextBoolean() ? key : value)));
            case 5 -> new Filter.Not(onField(random.nextBoolean() ? key : value));
            default -> onField(value);
        }));
    }

    private Filter onField(FilterField field) {
        List<Supplier<Filter>> forms = Stream.<Form> of(
                new Form(FilterFunction.EXISTS, () -> new Filter.Present(field)),
                new Form(FilterFunction.IN, () -> new Filter.OneOf(field,
                        IntStream.range(0, random.nextInt(4)).mapToObj(_ -> value(field)).toList())),
                new Form(FilterFunction.EQ, () -> field == FilterField.TAGS ? new Filter.Present(field)
                        : new Filter.Equal(field, value(field))),
                new Form(FilterFunction.GT, () -> new Filter.Compare(field, samples.anyOf(List.of(Comparison.values())),
                        ordered(field))),
                new Form(FilterFunction.LIKE, () -> new Filter.Like(field, samples.anyOf(PATTERNS), random.nextBoolean())))
                .filter(form -> field.type().supports(form.function()))
                .map(Form::filter)
                .toList();
        return samples.anyOf(forms).get();
    }

    private record Form(FilterFunction function, Supplier<Filter> filter) {
    }

    private FilterValue ordered(FilterField field) {
        FilterValue value = value(field);
        return value instanceof FilterValue.Flag ? ordered(field) : value;
    }

    private FilterValue value(FilterField field) {
        return switch (field.type()) {
            case TEXT -> field == FilterField.SESSION_NAME ? text(List.of(SampleRuns.SESSION_NAME, "other"))
                    : text(random.nextBoolean() ? SampleRuns.TEXTS : List.of("llm", "success", "longlived"));
            case ID -> new FilterValue.Id(random.nextInt(3) == 0 ? SampleRuns.TENANT : SampleRuns.id(random.nextInt(3)));
            case TIME -> new FilterValue.Time(SampleRuns.DAY.plus(random.nextInt(20) * 250_000L, ChronoUnit.MICROS));
            case NUMBER, SCORE, DURATION -> number();
            case FLAG -> new FilterValue.Flag(random.nextBoolean());
            case KEY -> text(keys(field.pairType().orElseThrow()));
            case VALUE -> switch (random.nextInt(4)) {
                case 0 -> number();
                case 1 -> new FilterValue.Flag(random.nextBoolean());
                default -> text(SampleRuns.TEXTS);
            };
            case TAGS -> throw new IllegalArgumentException("tags have no comparable value");
        };
    }

    private static List<String> keys(PairType pairType) {
        return pairType == PairType.FEEDBACK ? SampleRuns.FEEDBACK_KEYS : SampleRuns.KEYS;
    }

    private FilterValue text(List<String> choices) {
        return new FilterValue.Text(samples.anyOf(choices));
    }

    private FilterValue number() {
        return new FilterValue.Number(samples.anyOf(NUMBERS));
    }

    private <T> List<T> some(Supplier<T> element) {
        return IntStream.rangeClosed(0, random.nextInt(3)).mapToObj(_ -> element.get()).toList();
    }
}
