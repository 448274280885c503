package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.ItemStorage;
import dev.waybill.runtime.storage.Owner;
import io.smallrye.mutiny.Uni;

/** Items of the store in the file. */
final class SqliteItems implements ItemStorage {

    private final SqliteFile file;
    private final Clock clock;

    SqliteItems(SqliteFile file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public Uni<List<ItemResult>> batch(Owner owner, List<ItemOperation> operations) {
        return operations.stream().anyMatch(SqliteItems::changes)
                ? file.write(operations.stream().mapToLong(SqliteItems::bytes).sum(),
                        session -> batch(session, owner, operations))
                : file.read(session -> batch(session, owner, operations));
    }

    private static boolean changes(ItemOperation operation) {
        return switch (operation) {
            case ItemOperation.Get get -> get.refreshTtl();
            case ItemOperation.Put ignored -> true;
            case ItemOperation.Search search -> search.refreshTtl();
            case ItemOperation.Namespaces ignored -> false;
        };
    }

    private static long bytes(ItemOperation operation) {
        return operation instanceof ItemOperation.Put put && put.value() != null ? put.value().length() : 0;
    }

    private List<ItemResult> batch(SqliteSession session, Owner owner, List<ItemOperation> operations) throws SQLException {
        Instant now = clock.instant();
        List<ItemResult> results = new ArrayList<>();
        for (ItemOperation operation : operations) {
            results.add(switch (operation) {
                case ItemOperation.Get get -> get(session, owner, get, now);
                case ItemOperation.Put ignored -> new ItemResult.Stored();
                case ItemOperation.Search search -> search(session, owner, search, now);
                case ItemOperation.Namespaces namespaces -> namespaces(session, owner, namespaces, now);
            });
        }
        for (ItemOperation operation : operations) {
            if (operation instanceof ItemOperation.Put put) {
                put(session, owner, put, now);
            }
        }
        return results;
    }

    private static ItemResult get(SqliteSession session, Owner owner, ItemOperation.Get get, Instant now) throws SQLException {
        Item item = session.first("""
                SELECT * FROM items WHERE owner = ? AND namespace = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)
                """, SqliteItems::item, owner.name(), ItemQuery.text(get.namespace()), get.key(), now).orElse(null);
        if (item != null && get.refreshTtl()) {
            refresh(session, owner, item, now);
        }
        return new ItemResult.Found(item);
    }

    private static ItemResult search(SqliteSession session, Owner owner, ItemOperation.Search search, Instant now)
            throws SQLException {
        ItemQuery query = ItemQuery.of(owner, search, now);
        List<Item> items = session.list(query.sql(), SqliteItems::item, query.parameters());
        if (search.refreshTtl()) {
            for (Item item : items) {
                refresh(session, owner, item, now);
            }
        }
        return new ItemResult.Items(items);
    }

    private static void refresh(SqliteSession session, Owner owner, Item item, Instant now) throws SQLException {
        session.update("""
                UPDATE items SET expires_at = ? + ttl_minutes * ?
                 WHERE owner = ? AND namespace = ? AND key = ? AND ttl_minutes IS NOT NULL
                """, now, ThreadState.MICROS_PER_MINUTE, owner.name(), ItemQuery.text(item.namespace()), item.key());
    }

    private static ItemResult namespaces(SqliteSession session, Owner owner, ItemOperation.Namespaces request, Instant now)
            throws SQLException {
        List<List<String>> all = session.list("""
                SELECT DISTINCT namespace FROM items WHERE owner = ? AND (expires_at IS NULL OR expires_at > ?)
                 ORDER BY namespace
                """, row -> ItemQuery.labels(row.text("namespace")), owner.name(), now);
        return new ItemResult.NamespaceList(all.stream()
                .filter(namespace -> request.matches().stream().allMatch(match -> matches(namespace, match)))
                .map(namespace -> cut(namespace, request.maxDepth()))
                .distinct()
                .skip(request.offset())
                .limit(request.limit())
                .toList());
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

    private static void put(SqliteSession session, Owner owner, ItemOperation.Put put, Instant now) throws SQLException {
        String namespace = ItemQuery.text(put.namespace());
        if (put.value() == null) {
            session.update("DELETE FROM items WHERE owner = ? AND namespace = ? AND key = ?", owner.name(), namespace,
                    put.key());
            return;
        }
        Integer minutes = put.ttlMinutes();
        // An expired item that the sweep has not deleted does not count as existing.
        session.update("""
                INSERT INTO items (owner, namespace, key, ttl_minutes, expires_at, created_at, updated_at, value)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
                ON CONFLICT (owner, namespace, key) DO UPDATE
                   SET created_at = CASE WHEN items.expires_at <= ?6 THEN ?6 ELSE items.created_at END,
                       ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at,
                       updated_at = excluded.updated_at, value = excluded.value
                """, owner.name(), namespace, put.key(), minutes,
                minutes == null ? null : now.plus(Duration.ofMinutes(minutes)), now, put.value());
    }

    @Override
    public Uni<Integer> expire(int limit) {
        return file.write(0, session -> session.update("""
                DELETE FROM items WHERE rowid IN (SELECT rowid FROM items WHERE expires_at <= ? LIMIT ?)
                """, clock.instant(), limit));
    }

    private static Item item(SqliteRow row) throws SQLException {
        return new Item(ItemQuery.labels(row.text("namespace")), row.text("key"), row.text("value"), row.time("created_at"),
                row.time("updated_at"));
    }
}
