package dev.waybill.experiment.comparison;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

/**
 * Caches computed parts of comparisons in bounded memory. Results of an earlier state are never found again and are evicted as
 * the least recently used ones.
 */
@Singleton
class ComparisonCache {

    static final long MAX_BYTES = 16L * 1024 * 1024;
    /** One workspace cannot evict the results of all others. */
    static final long MAX_WORKSPACE_BYTES = MAX_BYTES / 2;
    /** Approximate memory of a key and its entry. */
    private static final int ENTRY_BYTES = 512;

    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** Returns the cached value; null if there is none. */
    synchronized <T> @Nullable T find(Key key, Class<T> type) {
        Entry entry = entries.get(key);
        return entry == null ? null : type.cast(entry.value());
    }

    /**
     * Adds a value and evicts the least recently used ones.
     *
     * @param bytes approximate size of the value
     */
    synchronized void add(Key key, Object value, long bytes) {
        entries.put(key, new Entry(value, bytes + ENTRY_BYTES));
        UUID tenantId = key.tenantId();
        evict(other -> other.tenantId().equals(tenantId), MAX_WORKSPACE_BYTES);
        evict(other -> true, MAX_BYTES);
    }

    private void evict(Predicate<Key> selected, long maxBytes) {
        long bytes = entries.entrySet().stream()
                .filter(entry -> selected.test(entry.getKey()))
                .mapToLong(entry -> entry.getValue().bytes())
                .sum();
        Iterator<Map.Entry<Key, Entry>> eldestFirst = entries.entrySet().iterator();
        while (bytes > maxBytes) {
            Map.Entry<Key, Entry> entry = eldestFirst.next();
            if (selected.test(entry.getKey())) {
                bytes -= entry.getValue().bytes();
                eldestFirst.remove();
            }
        }
    }

    /**
     * Identifies a result.
     *
     * @param digest of everything that the result depends on, because the texts of a request can be long
     */
    record Key(UUID tenantId, String digest) {
    }

    private record Entry(Object value, long bytes) {
    }
}
