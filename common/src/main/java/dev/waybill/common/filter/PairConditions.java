package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.common.filter.FilterValue.Text;

/**
 * Conditions on the key-value pairs of a run (see {@link PairType}). If the key is known, only its path in the document is
 * traversed, otherwise the whole document. Feedback is stored in its own rows.
 */
final class PairConditions {

    /** Longer paths are not built, because a document with many of them would be expensive to process. */
    static final int MAX_PATH_LENGTH = 1_000;

    /** Deeper values are not searched, because each level reads all text below it again. */
    static final int MAX_DEPTH = 64;

    private static final String KNOWN_KEYS = """
            EXISTS (
                WITH RECURSIVE f_walk(node, key, rest, depth) AS (
                    SELECT {document}, f_keys.key, f_keys.key, 0 FROM (VALUES {keys}) f_keys(key)
                    UNION ALL
                    SELECT f_next.node, f_walk.key, f_next.rest, f_walk.depth + 1 FROM f_walk CROSS JOIN LATERAL (
                        SELECT f_member.value,
                            CASE WHEN f_member.key <> f_walk.rest THEN substr(f_walk.rest, length(f_member.key) + 2) END
                        FROM json_each(CASE json_typeof(f_walk.node) WHEN 'object' THEN f_walk.node END) f_member
                        WHERE f_member.key = f_walk.rest OR starts_with(f_walk.rest, f_member.key || '.')
                        UNION ALL
                        SELECT f_element.value, CASE WHEN f_walk.rest ~ '^[0-9]+(\\.|$)'
                            THEN substr(f_walk.rest, nullif(strpos(f_walk.rest, '.'), 0) + 1) ELSE f_walk.rest END
                        FROM json_array_elements(CASE json_typeof(f_walk.node) WHEN 'array' THEN f_walk.node END)
                            WITH ORDINALITY f_element(value, number)
                        WHERE (f_walk.rest ~ '^[0-9]+(\\.|$)') IS NOT TRUE
                            OR split_part(f_walk.rest, '.', 1) = (f_element.number - 1)::text
                    ) f_next(node, rest)
                    WHERE f_walk.depth < {maxDepth}
                )
                SELECT FROM f_walk WHERE f_walk.rest IS NULL AND {found}
            )""";

    private static final String ALL_PATHS = """
            EXISTS (
                WITH RECURSIVE f_walk(node, key, depth) AS (
                    SELECT {document}, NULL::text, 0
                    UNION ALL
                    SELECT f_next.node, f_next.key, f_walk.depth + 1 FROM f_walk CROSS JOIN LATERAL (
                        SELECT f_member.value, {path}
                        FROM json_each(CASE json_typeof(f_walk.node) WHEN 'object' THEN f_walk.node END) f_member
                        WHERE {short}
                        UNION ALL
                        SELECT f_element.value, f_walk.key
                        FROM json_array_elements(CASE json_typeof(f_walk.node) WHEN 'array' THEN f_walk.node END)
                            f_element(value)
                    ) f_next(node, key)
                    WHERE f_walk.depth < {maxDepth}
                )
                SELECT FROM f_walk WHERE f_walk.key IS NOT NULL AND {found}
            )""";

    // Feedback on a session has no run_id. OFFSET 0 forces an index lookup per run: a join could read all feedback first and
    // lose the order in which exports read.
    private static final String FEEDBACK = """
            EXISTS (
                SELECT FROM trace.feedback f_feedback
                WHERE f_feedback.tenant_id = {run}.tenant_id AND f_feedback.run_id = {run}.id AND {found}
                OFFSET 0
            )""";

    private static final String PATH = "concat_ws('.', f_walk.key, f_member.key)";
    private static final String SHORT = "coalesce(length(f_walk.key) + 1, 0) + length(f_member.key) <= " + MAX_PATH_LENGTH;

    private final String alias;
    private final Placeholders placeholders;
    private final JsonOperand value;
    private final PairOperands inDocument;
    private final PairOperands ofFeedback;

    PairConditions(String alias, Placeholders placeholders) {
        this.alias = alias;
        this.placeholders = placeholders;
        this.value = new JsonOperand("f_walk.node", placeholders);
        this.inDocument = new PairOperands(new ColumnOperand("f_walk.key", true, true, placeholders), value);
        // The text of a score is the number that was sent; a comparison as double would lose numbers beyond its range.
        this.ofFeedback = new PairOperands(new ColumnOperand("f_feedback.key", true, true, placeholders),
                new ColumnOperand("f_feedback.score::text::numeric", false, false, placeholders));
    }

    /** Returns a condition that a pair has one of these keys. */
    String hasKey(PairType pairType, List<String> keys) {
        return knownKeys(pairType, keys, List.of());
    }

    /** Returns a condition that a pair has this key or this value. */
    String keyOrValue(Filter.OnField condition, PairType pairType) {
        return Pairing.exactKeys(condition, pairType)
                .map(keys -> hasKey(pairType, keys))
                .orElseGet(() -> allPaths(pairType, condition.field().isKeyOf(pairType), List.of(condition)));
    }

    /** Returns a condition that one pair satisfies all conditions of {@code pair}. */
    String pair(Pairing.Pair pair) {
        List<Filter> conditions = new ArrayList<>(pair.keys());
        conditions.addAll(pair.values());
        for (Filter named : pair.keys()) {
            Optional<List<String>> exact = Pairing.exactKeys(named, pair.pairType());
            if (exact.isPresent()) {
                conditions.remove(named);
                return knownKeys(pair.pairType(), exact.get(), conditions);
            }
        }
        return allPaths(pair.pairType(), true, conditions);
    }

    private String knownKeys(PairType pairType, List<String> keys, List<Filter> conditions) {
        if (keys.isEmpty()) {
            return "FALSE";
        }
        List<FilterValue> known = keys.stream().distinct().<FilterValue> map(Text::new).toList();
        if (pairType == PairType.FEEDBACK) {
            return feedback(ofFeedback.key().oneOf(known), conditions);
        }
        String values = known.stream()
                .map(key -> "(" + placeholders.of(key) + ")")
                .collect(Collectors.joining(", "));
        return KNOWN_KEYS.replace("{document}", document(pairType))
                .replace("{maxDepth}", Integer.toString(MAX_DEPTH))
                .replace("{keys}", values)
                .replace("{found}", found(conditions));
    }

    private String allPaths(PairType pairType, boolean withKeys, List<Filter> conditions) {
        if (pairType == PairType.FEEDBACK) {
            return feedback("TRUE", conditions);
        }
        return ALL_PATHS.replace("{document}", document(pairType))
                .replace("{maxDepth}", Integer.toString(MAX_DEPTH))
                .replace("{path}", withKeys ? PATH : "''")
                .replace("{short}", withKeys ? SHORT : "TRUE")
                .replace("{found}", found(conditions));
    }

    private String document(PairType pairType) {
        return StoredJson.document(alias + "." + pairType.column());
    }

    // A list is not a value itself; its elements, which have the same key, are.
    private String found(List<Filter> conditions) {
        List<String> found = new ArrayList<>();
        if (conditions.stream().anyMatch(PairConditions::restrictsValue)) {
            found.add(value.isNotArray());
        }
        conditions.forEach(condition -> found.add(inDocument.satisfy(condition)));
        return found.isEmpty() ? "TRUE" : String.join(" AND ", found);
    }

    private String feedback(String withKey, List<Filter> conditions) {
        String found = Stream.concat(Stream.of(withKey), conditions.stream().map(ofFeedback::satisfy))
                .collect(Collectors.joining(" AND "));
        return FEEDBACK.replace("{run}", alias)
                .replace("{found}", found);
    }

    private static boolean restrictsValue(Filter condition) {
        return switch (condition) {
            case Filter.OnField onField -> !PairOperands.isKey(onField);
            case Filter.Or or -> or.conditions().stream().anyMatch(PairConditions::restrictsValue);
            case Filter.And _ -> true;
            case Filter.Not _ -> true;
            case Filter.OnRun _ -> false;
        };
    }
}
