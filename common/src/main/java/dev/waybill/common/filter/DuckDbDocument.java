package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Conditions on the stored text of a JSON document. They require that the text contains the keys and texts of the filter, which
 * DuckDB checks without parsing the document. Escapes in the document may hide any character, so a document with an escape that
 * could be a character of a text satisfies its condition.
 */
record DuckDbDocument(PairType pairType) {

    // Quotes, backslashes and control characters are always escaped in documents.
    private static final Pattern ALWAYS_ESCAPED = Pattern.compile("[\"\\\\\\x00-\\x1f]+");
    private static final Pattern INDEX = Pattern.compile("[0-9]+");
    static final Pattern WILDCARD = Pattern.compile("\\\\(.)|[%_]", Pattern.DOTALL);
    private static final Pattern WILDCARD_OR_DOT = Pattern.compile("\\\\(.)|[%_.]", Pattern.DOTALL);
    private static final String ESCAPED_ASCII = "regexp_matches({column}, '\\\\u00[2-7]')";

    /** Returns a condition that the document has one of the keys. */
    DuckDbCondition hasKey(List<String> keys) {
        return DuckDbCondition.or(keys.stream().map(this::hasKey).toList());
    }

    /** Returns a condition that the document has a key, or a value, that satisfies the condition. */
    DuckDbCondition keyOrValue(Filter.OnField condition) {
        return Pairing.exactKeys(condition, pairType).map(this::hasKey).orElseGet(() -> exists(condition));
    }

    /** Returns a condition that one pair of the document satisfies all conditions of {@code pair}. */
    DuckDbCondition pair(Pairing.Pair pair) {
        List<DuckDbCondition> conditions = new ArrayList<>();
        pair.keys().forEach(
                key -> conditions.add(Pairing.exactKeys(key, pairType).map(this::hasKey).orElseGet(() -> exists(key))));
        pair.values().forEach(value -> conditions.add(exists(value)));
        return DuckDbCondition.and(conditions);
    }

    /** Returns a condition that the decoded text of the document contains {@code text}. */
    DuckDbCondition containsText(String text, boolean ignoreCase) {
        List<DuckDbCondition> conditions = Arrays.stream(ALWAYS_ESCAPED.split(text))
                .filter(Predicate.not(String::isEmpty))
                .flatMap(fragment -> ignoreCase ? LowerCase.parts(fragment).stream() : Stream.of(fragment))
                .map(fragment -> contains(fragment, ignoreCase))
                .toList();
        return conditions.isEmpty() ? isPresent() : DuckDbCondition.and(conditions);
    }

    // Member names may contain dots, and indexes of lists are not in the text.
    private DuckDbCondition hasKey(String key) {
        if (!key.contains(".")) {
            return INDEX.matcher(key).matches() ? isPresent() : containsString(key);
        }
        return DuckDbCondition.and(Arrays.stream(key.split("\\."))
                .filter(segment -> !INDEX.matcher(segment).matches())
                .map(segment -> containsText(segment, false))
                .collect(Collectors.collectingAndThen(Collectors.toList(),
                        conditions -> conditions.isEmpty() ? List.of(isPresent()) : conditions)));
    }

    private DuckDbCondition exists(Filter condition) {
        return switch (condition) {
            case Filter.And and -> DuckDbCondition.and(and.conditions().stream().map(this::exists).toList());
            case Filter.Or or -> DuckDbCondition.or(or.conditions().stream().map(this::exists).toList());
            case Filter.Equal equal when equal.value() instanceof FilterValue.Text text -> containsString(text.value());
            case Filter.OneOf oneOf -> DuckDbCondition.or(oneOf.values().stream()
                    .map(value -> value instanceof FilterValue.Text text ? containsString(text.value()) : isPresent())
                    .toList());
            case Filter.Like like -> matches(like);
            default -> isPresent();
        };
    }

    private DuckDbCondition containsString(String text) {
        return ALWAYS_ESCAPED.matcher(text).find() ? containsText(text, false) : contains("\"" + text + "\"", false);
    }

    // The literal parts of a pattern; a wildcard, an escaped character and a dot between member names end a part.
    private DuckDbCondition matches(Filter.Like like) {
        List<DuckDbCondition> parts = Arrays
                .stream((PairOperands.isKey(like) ? WILDCARD_OR_DOT : WILDCARD).split(like.pattern()))
                .filter(Predicate.not(String::isEmpty))
                .map(part -> containsText(part, like.ignoreCase()))
                .toList();
        return parts.isEmpty() ? isPresent() : DuckDbCondition.and(parts);
    }

    private DuckDbCondition contains(String fragment, boolean ignoreCase) {
        String sql = ignoreCase ? "contains(lower({column}), lower(?))" : "contains({column}, ?)";
        return DuckDbCondition.approximate(("(" + sql + " OR " + escapes(fragment, ignoreCase) + ")")
                .replace("{column}", pairType.column()), fragment).requiring(fragment);
    }

    // Decoded escapes of ASCII characters, and of the two other characters whose lower case is ASCII.
    private static String escapes(String fragment, boolean ignoreCase) {
        List<String> escapes = new ArrayList<>();
        if (fragment.chars().allMatch(c -> c < 0x80)) {
            escapes.add(ESCAPED_ASCII);
            if (ignoreCase) {
                escapes.add("contains({column}, '\\u0130')");
                escapes.add("contains(lower({column}), '\\u212a')");
            }
        } else {
            escapes.add("contains({column}, '\\u')");
        }
        if (fragment.contains("/")) {
            escapes.add("contains({column}, '\\/')");
        }
        return "contains({column}, '\\') AND (" + String.join(" OR ", escapes) + ")";
    }

    private DuckDbCondition isPresent() {
        return DuckDbCondition.approximate(pairType.column() + " IS NOT NULL");
    }
}
