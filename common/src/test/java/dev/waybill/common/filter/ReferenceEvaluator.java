package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.filter.JsonNodes.Node;
import dev.waybill.common.time.Timestamps;

/** Evaluates a filter on a run in Java, independently of SQL and of the classes that generate it. */
final class ReferenceEvaluator {

    private final SampleRun run;

    ReferenceEvaluator(SampleRun run) {
        this.run = run;
    }

    boolean matches(Filter filter) {
        return switch (filter) {
            case Filter.And and -> and(and.conditions());
            case Filter.Or or -> or.conditions().stream().anyMatch(this::matches);
            case Filter.Not not -> !matches(not.condition());
            case Filter.Tagged tagged -> run.tags() != null && run.tags().contains(tagged.tag());
            case Filter.Search search ->
                search.words().stream().allMatch(word -> ReferenceTexts.lower(searched()).contains(ReferenceTexts.lower(word)));
            case Filter.HasKey hasKey -> pairs(hasKey.pairType()).anyMatch(node -> hasPath(node, hasKey.key()));
            case Filter.OnField onField -> onField.field().pairType()
                    .map(pairType -> onField.field().type() == FilterType.KEY
                            ? pairs(pairType).anyMatch(node -> keyMatches(onField, node))
                            : pairs(pairType).anyMatch(node -> valueMatches(onField, node)))
                    .orElseGet(() -> satisfies(column(onField.field()), onField));
        };
    }

    private boolean and(List<Filter> conditions) {
        List<Filter> left = conditions;
        for (PairType pairType : PairType.values()) {
            List<Filter> keys = left.stream().filter(condition -> picksKey(condition, pairType)).toList();
            List<Filter> values = left.stream().filter(condition -> onValue(condition, pairType)).toList();
            if (keys.isEmpty() || values.isEmpty()) {
                continue;
            }
            if (pairs(pairType).noneMatch(node -> keys.stream().allMatch(key -> keyMatches(key, node, keys))
                    && values.stream().allMatch(value -> valueMatches(value, node)))) {
                return false;
            }
            left = left.stream().filter(condition -> !keys.contains(condition) && !values.contains(condition)).toList();
        }
        return left.stream().allMatch(this::matches);
    }

    private static boolean picksKey(Filter condition, PairType pairType) {
        return switch (condition) {
            case Filter.Present _ -> false;
            case Filter.OnField onField -> onField.field().isKeyOf(pairType);
            case Filter.Or or -> or.conditions().stream()
                    .allMatch(
                            one -> picksKey(one, pairType) && !(one instanceof Filter.Like)
                                    && !(one instanceof Filter.Compare));
            case Filter.And _ -> false;
            case Filter.Not _ -> false;
            case Filter.OnRun _ -> false;
        };
    }

    private static boolean onValue(Filter condition, PairType pairType) {
        return switch (condition) {
            case Filter.And and -> and.conditions().stream().allMatch(one -> onValue(one, pairType));
            case Filter.Or or -> or.conditions().stream().allMatch(one -> onValue(one, pairType));
            case Filter.Not not -> onValue(not.condition(), pairType);
            case Filter.OnField onField -> onField.field().isValueOf(pairType);
            case Filter.OnRun _ -> false;
        };
    }

    // If conditions name exact keys, the first of them selects the key, and all other conditions apply to this key.
    private boolean keyMatches(Filter condition, Node node, List<Filter> keys) {
        Predicate<Filter> named = key -> !(key instanceof Filter.Like) && !(key instanceof Filter.Compare);
        return keys.stream().filter(named).findFirst()
                .map(first -> exactKeys(first).filter(key -> hasPath(node, key))
                        .anyMatch(key -> keys.stream().allMatch(each -> matchesKey(each, key))))
                .orElseGet(() -> keyMatches(condition, node));
    }

    private static Stream<String> exactKeys(Filter condition) {
        return switch (condition) {
            case Filter.Equal equal -> Stream.of(equal.value().text());
            case Filter.OneOf oneOf -> oneOf.values().stream().map(FilterValue::text);
            case Filter.Or or -> or.conditions().stream().flatMap(ReferenceEvaluator::exactKeys);
            default -> throw new IllegalArgumentException(condition.toString());
        };
    }

    private static boolean matchesKey(Filter condition, String key) {
        return condition instanceof Filter.Or or ? or.conditions().stream().anyMatch(one -> matchesKey(one, key))
                : satisfies(key, (Filter.OnField) condition);
    }

    private boolean keyMatches(Filter condition, Node node) {
        return switch (condition) {
            case Filter.Equal equal -> hasPath(node, equal.value().text());
            case Filter.OneOf oneOf -> oneOf.values().stream().anyMatch(value -> hasPath(node, value.text()));
            case Filter.Like like -> plainPath(node) != null && satisfies(plainPath(node), like);
            case Filter.Compare compare -> plainPath(node) != null && satisfies(plainPath(node), compare);
            case Filter.Present _ -> plainPath(node) != null;
            default -> throw new IllegalArgumentException(condition.toString());
        };
    }

    private boolean valueMatches(Filter condition, Node node) {
        if (node.type() == JsonToken.START_ARRAY) {
            return false;
        }
        return switch (condition) {
            case Filter.And and -> and.conditions().stream().allMatch(one -> valueMatches(one, node));
            case Filter.Or or -> or.conditions().stream().anyMatch(one -> valueMatches(one, node));
            case Filter.Not not -> !valueMatches(not.condition(), node);
            case Filter.OnField onField -> satisfies(value(node), onField);
            default -> throw new IllegalArgumentException(condition.toString());
        };
    }

    private static @Nullable Object value(Node node) {
        return switch (node.type()) {
            case VALUE_STRING -> node.scalar();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(node.scalar());
            default -> node.type();
        };
    }

    private static Object number(String written) {
        int exponent = written.toLowerCase(Locale.ROOT).indexOf('e');
        boolean far = exponent >= 0 && written.substring(exponent + 1).replaceAll("^[+-]?0*", "").length() > 3;
        return far || written.length() > 1_000 ? JsonToken.NOT_AVAILABLE : new BigDecimal(written);
    }

    private static boolean satisfies(@Nullable Object actual, Filter.OnField condition) {
        return switch (condition) {
            case Filter.Present _ -> actual != null;
            case Filter.Equal equal -> equalTo(actual, equal.value());
            case Filter.OneOf oneOf -> oneOf.values().stream().anyMatch(value -> equalTo(actual, value));
            case Filter.Compare compare -> switch (compare.comparison()) {
                case GREATER -> order(actual, compare.value()) == 1;
                case GREATER_OR_EQUAL -> order(actual, compare.value()) == 1 || order(actual, compare.value()) == 0;
                case LESS -> order(actual, compare.value()) == -1;
                case LESS_OR_EQUAL -> order(actual, compare.value()) == -1 || order(actual, compare.value()) == 0;
            };
            case Filter.Like like -> actual instanceof String text && (like.ignoreCase()
                    ? ReferenceTexts.like(ReferenceTexts.lower(text), ReferenceTexts.lower(like.pattern()))
                    : ReferenceTexts.like(text, like.pattern()));
        };
    }

    private static boolean equalTo(@Nullable Object actual, FilterValue value) {
        return switch (value) {
            case FilterValue.Flag flag -> Boolean.valueOf(flag.value()).equals(actual);
            case FilterValue.Id id -> id.value().equals(actual);
            case FilterValue.Text _ -> order(actual, value) == 0;
            case FilterValue.Number _ -> order(actual, value) == 0;
            case FilterValue.Time _ -> order(actual, value) == 0;
        };
    }

    /** Returns -1, 0 or 1; 2 if the values have no order. */
    private static int order(@Nullable Object actual, FilterValue value) {
        return switch (value) {
            case FilterValue.Text text when actual instanceof String string ->
                Integer.signum(ReferenceTexts.compare(string, text.value()));
            case FilterValue.Number number when actual instanceof BigDecimal decimal -> decimal.compareTo(number.value());
            case FilterValue.Time time when actual instanceof Instant instant -> Integer.signum(
                    instant.compareTo(time.value()));
            case FilterValue.Text _ -> 2;
            case FilterValue.Number _ -> 2;
            case FilterValue.Time _ -> 2;
            case FilterValue.Flag _ -> 2;
            case FilterValue.Id _ -> 2;
        };
    }

    private @Nullable Object column(FilterField field) {
        return switch (field) {
            case ID -> run.id();
            case TRACE_ID -> run.traceId();
            case PARENT_RUN_ID -> run.parentRunId();
            case SESSION_ID -> run.sessionId();
            case REFERENCE_EXAMPLE_ID -> run.referenceExampleId();
            case MANIFEST_ID -> run.manifestId();
            case TENANT_ID -> run.tenantId();
            case NAME -> run.name();
            case RUN_TYPE -> run.runType();
            case STATUS -> run.status();
            case ERROR -> run.error();
            case DOTTED_ORDER -> run.dottedOrder();
            case TRACE_TIER -> run.traceTier();
            case THREAD_ID -> threadId();
            case SESSION_NAME -> run.sessionName();
            case APP_PATH -> "/o/%s/projects/p/%s/r/%s?trace_id=%s&start_time=%s".formatted(run.tenantId(), run.sessionId(),
                    run.id(), run.traceId(), Timestamps.format(run.startTime()));
            case START_TIME -> run.startTime();
            case END_TIME -> run.endTime();
            case FIRST_TOKEN_TIME -> run.firstTokenTime();
            case LATENCY -> run.endTime() == null ? null
                    : seconds(Duration.between(run.startTime(), run.endTime()));
            case PROMPT_TOKENS -> decimal(run.promptTokens());
            case COMPLETION_TOKENS -> decimal(run.completionTokens());
            case TOTAL_TOKENS -> decimal(run.totalTokens());
            case PROMPT_COST -> run.promptCost();
            case COMPLETION_COST -> run.completionCost();
            case TOTAL_COST -> run.totalCost();
            case IS_ROOT -> run.parentRunId() == null;
            case TAGS -> run.tags() == null || run.tags().isEmpty() ? null : run.tags();
            case INPUT_KEY, INPUT_VALUE, OUTPUT_KEY, OUTPUT_VALUE, METADATA_KEY, METADATA_VALUE, FEEDBACK_KEY, FEEDBACK_SCORE ->
                throw new IllegalArgumentException(field.toString());
        };
    }

    private @Nullable String threadId() {
        return JsonNodes.of(run.metadata()).stream()
                .filter(node -> node.path().size() == 1 && node.path().getFirst().equals("thread_id"))
                .map(Node::scalar)
                .findFirst()
                .orElse(null);
    }

    /** Returns an exact number of seconds; nanoseconds of thousands of years are more than a long. */
    static BigDecimal seconds(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
    }

    private static @Nullable BigDecimal decimal(@Nullable Long number) {
        return number == null ? null : BigDecimal.valueOf(number);
    }

    private Stream<Node> pairs(PairType pairType) {
        List<Node> nodes = switch (pairType) {
            case INPUT -> JsonNodes.of(run.inputs());
            case OUTPUT -> JsonNodes.of(run.outputs());
            case METADATA -> JsonNodes.of(run.metadata());
            case FEEDBACK -> run.feedback().stream().map(ReferenceEvaluator::asMember).toList();
        };
        return nodes.stream().filter(node -> node.path().size() <= 64)
                .filter(node -> node.path().stream().anyMatch(String.class::isInstance));
    }

    // The key of feedback is one name, even if it contains dots.
    private static Node asMember(SampleRun.Feedback feedback) {
        return feedback.score() == null
                ? new Node(List.of(feedback.key()), JsonToken.VALUE_NULL, null)
                : new Node(List.of(feedback.key()), JsonToken.VALUE_NUMBER_FLOAT, feedback.score().toString());
    }

    /** Returns the member names without indexes; null if the path is too long to be searched. */
    private static @Nullable String plainPath(Node node) {
        String path = String.join(".",
                node.path().stream().filter(String.class::isInstance).map(String.class::cast).toList());
        return path.codePointCount(0, path.length()) > 1_000 ? null : path;
    }

    private static boolean hasPath(Node node, String key) {
        String rest = key;
        for (Object step : node.path()) {
            String segment = rest == null ? null : rest.split("\\.", -1)[0];
            if (step instanceof Integer position) {
                if (segment != null && segment.matches("[0-9]+")) {
                    if (!segment.equals(position.toString())) {
                        return false;
                    }
                    rest = segment.equals(rest) ? null : rest.substring(segment.length() + 1);
                }
            } else if (rest == null) {
                return false;
            } else if (rest.equals(step)) {
                rest = null;
            } else if (rest.startsWith(step + ".")) {
                rest = rest.substring(step.toString().length() + 1);
            } else {
                return false;
            }
        }
        return rest == null;
    }

    private String searched() {
        StringBuilder text = new StringBuilder(run.name());
        Stream.of(run.error(), run.inputs() == null ? null : ReferenceTexts.searchable(run.inputs()),
                run.outputs() == null ? null : ReferenceTexts.searchable(run.outputs()),
                run.tags() == null ? null : String.join("\n", run.tags()))
                .forEach(part -> text.append('\n').append(part == null ? "" : part));
        return text.toString();
    }
}
