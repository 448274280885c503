package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Translates conditions on the run with a given table alias to SQL. Each is true or false, never null, so that NOT is plain
 * negation.
 */
final class RunConditions {

    private final String alias;
    private final Placeholders placeholders;
    private final PairConditions pairs;

    RunConditions(String alias, Placeholders placeholders) {
        this.alias = alias;
        this.placeholders = placeholders;
        this.pairs = new PairConditions(alias, placeholders);
    }

    String of(Filter filter) {
        return switch (filter) {
            case Filter.And and -> and(Pairing.of(and));
            case Filter.Or or -> joined(or.conditions().stream().map(this::of).toList(), " OR ");
            case Filter.Not not -> "NOT (" + of(not.condition()) + ")";
            case Filter.OnField onField -> onField(onField);
            case Filter.Tagged tagged -> "coalesce(" + placeholders.of(tagged.tag()) + " = ANY (" + alias + ".tags), FALSE)";
            case Filter.Search search -> search(search.words());
            case Filter.HasKey hasKey -> pairs.hasKey(hasKey.pairType(), List.of(hasKey.key()));
        };
    }

    private String and(Pairing pairing) {
        List<String> conditions = new ArrayList<>();
        pairing.alone().forEach(condition -> conditions.add(of(condition)));
        pairing.pairs().forEach(pair -> conditions.add(pairs.pair(pair)));
        return joined(conditions, " AND ");
    }

    private String onField(Filter.OnField condition) {
        FilterField field = condition.field();
        Optional<PairType> pairType = field.pairType();
        if (pairType.isPresent()) {
            return pairs.keyOrValue(condition, pairType.get());
        }
        if (field == FilterField.TAGS) {
            return "coalesce(cardinality(" + alias + ".tags) > 0, FALSE)";
        }
        return new ColumnOperand(field.sql(alias), field.type() == FilterType.TEXT, field.isNotNull(), placeholders)
                .satisfies(condition);
    }

    // OFFSET 0 keeps PostgreSQL from concatenating the text again for every word.
    private String search(List<String> words) {
        String found = words.stream()
                .map(word -> "strpos(f_searched.words, lower(" + placeholders.of(word) + ")) > 0")
                .collect(Collectors.joining(" AND "));
        return """
                EXISTS (
                    SELECT FROM (
                        SELECT lower(concat_ws(chr(10), {run}.name, {run}.error, {inputs}, {outputs},
                            array_to_string({run}.tags, chr(10)))) AS words
                        OFFSET 0
                    ) f_searched
                    WHERE {found}
                )"""
                .replace("{inputs}", StoredJson.searchable(alias + ".inputs"))
                .replace("{outputs}", StoredJson.searchable(alias + ".outputs"))
                .replace("{run}", alias)
                .replace("{found}", found);
    }

    private static String joined(List<String> conditions, String operator) {
        return conditions.size() == 1 ? conditions.getFirst()
                : conditions.stream().collect(Collectors.joining(operator, "(", ")"));
    }
}
