package dev.waybill.runtime.storage.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.storage.ItemStorage;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Items of the store in PostgreSQL. A namespace is stored as its labels, each followed by a full stop. */
final class PostgresItems implements ItemStorage {

    private static final String SEPARATOR = ".";
    /** The character after the separator: no namespace with a prefix is greater than the prefix with it. */
    private static final String AFTER_SEPARATOR = "/";
    private static final Map<String, String> COMPARISONS = Map.of("$gt", ">", "$gte", ">=", "$lt", "<", "$lte", "<=");
    private static final String OF_OWNER = """
             WHERE (i.tenant_id, i.deployment_id, i.owner) = ($1, $2, ?) AND (i.expires_at IS NULL OR i.expires_at > @now)
            """;

    private final DeploymentSql sql;

    PostgresItems(DeploymentSql sql) {
        this.sql = sql;
    }

    @Override
    public Uni<List<ItemResult>> batch(Owner owner, List<ItemOperation> operations) {
        return sql.transaction(connection -> {
            Batch batch = new Batch(sql, connection, owner);
            Uni<List<ItemResult>> results = Uni.createFrom().item(new ArrayList<>());
            for (ItemOperation operation : operations) {
                results = results.call(earlier -> batch.read(operation).invoke(earlier::add));
            }
            return results.call(() -> batch.write(operations));
        });
    }

    @Override
    public Uni<Integer> expire(int limit) {
        return sql.execute("""
                DELETE FROM runtime.items WHERE (tenant_id, deployment_id) = ($1, $2) AND (owner, namespace, key) IN (
                    SELECT owner, namespace, key FROM runtime.items
                     WHERE (tenant_id, deployment_id) = ($1, $2) AND expires_at <= @now LIMIT $3 FOR UPDATE SKIP LOCKED)
                """, limit).map(RowSet::rowCount);
    }

    private static String text(List<String> labels) {
        return labels.isEmpty() ? "" : String.join(SEPARATOR, labels) + SEPARATOR;
    }

    private static List<String> labels(String namespace) {
        return namespace.isEmpty() ? List.of() : List.of(namespace.split("\\."));
    }

    private static Conditions conditions(Owner owner, ItemOperation.Search search) {
        Conditions conditions = new Conditions().add(OF_OWNER, owner.name());
        if (!search.prefix().isEmpty()) {
            String from = text(search.prefix());
            conditions.add(" AND i.namespace >= ? AND i.namespace < ?", from,
                    from.substring(0, from.length() - 1) + AFTER_SEPARATOR);
        }
        if (search.filter() != null) {
            JsonText.parse(search.filter()).properties()
                    .forEach(member -> addMember(conditions, member.getKey(), member.getValue()));
        }
        return conditions.add(" ORDER BY i.updated_at DESC, i.namespace, i.key LIMIT ? OFFSET ?", search.limit(),
                search.offset());
    }

    private static void addMember(Conditions conditions, String member, JsonNode expected) {
        if (expected.isObject() && !expected.isEmpty()
                && expected.propertyStream().allMatch(operator -> operator.getKey().startsWith("$"))) {
            expected.properties().forEach(operator -> add(conditions, member, operator.getKey(), operator.getValue()));
        } else {
            add(conditions, member, "$eq", expected);
        }
    }

    private static void add(Conditions conditions, String member, String operator, JsonNode operand) {
        String comparison = COMPARISONS.get(operator);
        if (comparison == null) {
            conditions.add(operator.equals("$ne") ? " AND NOT (TRUE" : " AND (TRUE")
                    .addContains("i.value", RowValues.contained(member, operand))
                    .add(")");
        } else {
            String type = operand.isNumber() ? "number" : "string";
            String converted = operand.isNumber() ? "::numeric" : " COLLATE \"C\"";
            conditions.add(" AND CASE WHEN pg_input_is_valid(i.value, 'jsonb') AND jsonb_typeof(i.value::jsonb -> ?::text) = '"
                    + type + "' THEN (i.value::jsonb ->> ?::text)" + converted + " " + comparison + " ?::text" + converted
                    + " ELSE FALSE END", member, member, operand.asText());
        }
    }

    /** Operations of one transaction. */
    private record Batch(DeploymentSql sql, SqlConnection connection, Owner owner) {

        Uni<? extends ItemResult> read(ItemOperation operation) {
            return switch (operation) {
                case ItemOperation.Get get -> get(get);
                case ItemOperation.Put ignored -> Uni.createFrom().item(new ItemResult.Stored());
                case ItemOperation.Search search -> search(search);
                case ItemOperation.Namespaces namespaces -> namespaces(namespaces);
            };
        }

        private Uni<ItemResult.Found> get(ItemOperation.Get get) {
            Conditions conditions = new Conditions().add(OF_OWNER + " AND i.namespace = ? AND i.key = ?", owner.name(),
                    text(get.namespace()), get.key());
            return items(conditions, get.refreshTtl())
                    .map(items -> new ItemResult.Found(items.isEmpty() ? null : items.getFirst()));
        }

        private Uni<ItemResult.Items> search(ItemOperation.Search search) {
            return items(conditions(owner, search), search.refreshTtl()).map(ItemResult.Items::new);
        }

        private Uni<List<Item>> items(Conditions conditions, boolean refreshTtl) {
            return sql.execute(connection, conditions.sql("SELECT i.* FROM runtime.items i"), conditions.parameters())
                    .map(rows -> RowValues.list(rows, Batch::item))
                    .call(items -> refreshTtl && !items.isEmpty() ? refresh(items) : Uni.createFrom().voidItem());
        }

        private Uni<RowSet<Row>> refresh(List<Item> items) {
            return sql.execute(connection, """
                    UPDATE runtime.items i SET expires_at = @now + make_interval(mins => i.ttl_minutes)
                      FROM unnest($4::text[], $5::text[]) f (namespace, key)
                     WHERE (i.tenant_id, i.deployment_id, i.owner, i.namespace, i.key) = ($1, $2, $3, f.namespace, f.key)
                       AND i.ttl_minutes IS NOT NULL
                    """, owner.name(), items.stream().map(item -> text(item.namespace())).toArray(String[]::new),
                    items.stream().map(Item::key).toArray(String[]::new));
        }

        private static Item item(Row row) {
            return new Item(labels(row.getString("namespace")), row.getString("key"), row.getString("value"),
                    RowValues.time(row, "created_at"), RowValues.time(row, "updated_at"));
        }

        private Uni<ItemResult.NamespaceList> namespaces(ItemOperation.Namespaces request) {
            Conditions conditions = new Conditions().add(OF_OWNER + " ORDER BY i.namespace", owner.name());
            return sql.execute(connection, conditions.sql("SELECT DISTINCT i.namespace FROM runtime.items i"),
                    conditions.parameters())
                    .map(rows -> new ItemResult.NamespaceList(rows.stream()
                            .map(row -> labels(row.getString(0)))
                            .filter(namespace -> request.matches().stream().allMatch(match -> matches(namespace, match)))
                            .map(namespace -> cut(namespace, request.maxDepth()))
                            .distinct()
                            .skip(request.offset())
                            .limit(request.limit())
                            .toList()));
        }

        private static boolean matches(List<String> namespace, NamespaceMatch match) {
            int size = match.path().size();
            if (size > namespace.size()) {
                return false;
            }
            int from = match.prefix() ? 0 : namespace.size() - size;
            for (int i = 0; i < size; i++) {
                String label = match.path().get(i);
                if (!label.equals("*") && !label.equals(namespace.get(from + i))) {
                    return false;
                }
            }
            return true;
        }

        private static List<String> cut(List<String> namespace, @Nullable Integer depth) {
            return depth == null || namespace.size() <= depth ? namespace : List.copyOf(namespace.subList(0, depth));
        }

        Uni<Void> write(List<ItemOperation> operations) {
            Uni<Void> written = Uni.createFrom().voidItem();
            for (ItemOperation operation : operations) {
                if (operation instanceof ItemOperation.Put put) {
                    written = written.chain(() -> put.value() == null ? delete(put) : store(put)).replaceWithVoid();
                }
            }
            return written;
        }

        private Uni<RowSet<Row>> delete(ItemOperation.Put put) {
            return sql.execute(connection, """
                    DELETE FROM runtime.items
                     WHERE (tenant_id, deployment_id, owner, namespace, key) = ($1, $2, $3, $4, $5)
                    """, owner.name(), text(put.namespace()), put.key());
        }

        private Uni<RowSet<Row>> store(ItemOperation.Put put) {
            // An expired item that the sweep has not deleted does not count as existing.
            return sql.execute(connection, """
                    INSERT INTO runtime.items AS i (tenant_id, deployment_id, owner, namespace, key, ttl_minutes, expires_at,
                                                    created_at, updated_at, value)
                    VALUES ($1, $2, $3, $4, $5, $6, @now + make_interval(mins => $6), @now, @now, $7)
                    ON CONFLICT (tenant_id, deployment_id, owner, namespace, key) DO UPDATE
                       SET created_at = CASE WHEN i.expires_at <= @now THEN excluded.created_at ELSE i.created_at END,
                           ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at,
                           updated_at = excluded.updated_at, value = excluded.value
                    """, owner.name(), text(put.namespace()), put.key(), put.ttlMinutes(), put.value());
        }
    }
}
