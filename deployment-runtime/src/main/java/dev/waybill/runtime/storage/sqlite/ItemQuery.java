package dev.waybill.runtime.storage.sqlite;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;

/** SQL of a search of items. A namespace is stored as its labels, each followed by a full stop. */
final class ItemQuery {

    private static final String SEPARATOR = ".";
    /** The character after the separator: no namespace with a prefix is greater than the prefix with it. */
    private static final String AFTER_SEPARATOR = "/";
    private static final Map<String, String> COMPARISONS = Map.of("$gt", ">", "$gte", ">=", "$lt", "<", "$lte", "<=");

    private final StringBuilder sql = new StringBuilder("""
            SELECT * FROM items i WHERE i.owner = ? AND (i.expires_at IS NULL OR i.expires_at > ?)""");
    private final List<@Nullable Object> parameters = new ArrayList<>();

    private ItemQuery() {
    }

    /** Returns the query of a search. */
    static ItemQuery of(Owner owner, ItemOperation.Search search, Instant now) {
        ItemQuery query = new ItemQuery();
        query.parameters.addAll(List.of(owner.name(), now));
        query.addPrefix(search.prefix());
        if (search.filter() != null) {
            JsonText.parse(search.filter()).properties().forEach(member -> query.add(member.getKey(), member.getValue()));
        }
        query.sql.append(" ORDER BY i.updated_at DESC, i.namespace, i.key LIMIT ? OFFSET ?");
        query.parameters.addAll(List.of(search.limit(), search.offset()));
        return query;
    }

    String sql() {
        return sql.toString();
    }

    @Nullable
    Object[] parameters() {
        return parameters.toArray();
    }

    /** Returns the stored form of a namespace. */
    static String text(List<String> labels) {
        return labels.isEmpty() ? "" : String.join(SEPARATOR, labels) + SEPARATOR;
    }

    /** Returns the labels of a stored namespace. */
    static List<String> labels(String namespace) {
        return namespace.isEmpty() ? List.of() : List.of(namespace.split("\\."));
    }

    private void addPrefix(List<String> prefix) {
        if (!prefix.isEmpty()) {
            String from = text(prefix);
            sql.append(" AND i.namespace >= ? AND i.namespace < ?");
            parameters.add(from);
            parameters.add(from.substring(0, from.length() - 1) + AFTER_SEPARATOR);
        }
    }

    private void add(String member, JsonNode expected) {
        if (expected.isObject() && !expected.isEmpty()
                && expected.propertyStream().allMatch(operator -> operator.getKey().startsWith("$"))) {
            expected.properties().forEach(operator -> add(member, operator.getKey(), operator.getValue()));
        } else {
            add(member, "$eq", expected);
        }
    }

    private void add(String member, String operator, JsonNode operand) {
        sql.append(operator.equals("$ne") ? " AND NOT " : " AND ");
        if (COMPARISONS.containsKey(operator)) {
            sql.append("EXISTS (SELECT 1 FROM json_each(i.value) e WHERE e.key = ? AND e.type ")
                    .append(operand.isNumber() ? "IN ('integer', 'real')" : "= 'text'").append(" AND e.value ")
                    .append(COMPARISONS.get(operator)).append(" ?)");
            parameters.add(member);
            parameters.add(operand.isNumber() ? JsonContainment.number(operand) : operand.asText());
        } else {
            JsonContainment containment = new JsonContainment();
            sql.append(containment.member("i.value", Map.entry(member, operand)));
            parameters.addAll(containment.parameters());
        }
    }
}
