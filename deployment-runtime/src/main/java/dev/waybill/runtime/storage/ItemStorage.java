package dev.waybill.runtime.storage;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/** Items of the store: JSON objects by namespace and key. Labels of namespaces are not empty and contain no full stop. */
public interface ItemStorage {

    /**
     * Executes operations in one transaction and returns their results in the same order. Reads see the items before the
     * writes; of several writes of one key, the last one counts.
     */
    Uni<List<ItemResult>> batch(Owner owner, List<ItemOperation> operations);

    /** Deletes expired items, at most so many; returns their number. */
    Uni<Integer> expire(int limit);

    /** An operation of a batch. */
    sealed interface ItemOperation {

        /** Returns an item. */
        record Get(List<String> namespace, String key, boolean refreshTtl) implements ItemOperation {
        }

        /** Stores an item; a null value deletes it. A null time to live means none. */
        record Put(List<String> namespace, String key, @Nullable String value,
                @Nullable Integer ttlMinutes) implements ItemOperation {
        }

        /**
         * Returns items whose namespace begins with a prefix, the last updated first.
         *
         * @param filter object whose members the value must equal, or satisfy: {@code $eq $ne $gt $gte $lt $lte}; null: any
         */
        record Search(List<String> prefix, @Nullable String filter, int limit, int offset,
                boolean refreshTtl) implements ItemOperation {
        }

        /** Returns the distinct namespaces, cut to a depth, in their order. */
        record Namespaces(List<NamespaceMatch> matches, @Nullable Integer maxDepth, int limit,
                int offset) implements ItemOperation {
        }
    }

    /** Condition on a namespace; the label {@code *} matches any. */
    record NamespaceMatch(boolean prefix, List<String> path) {
    }

    /** Result of an operation. */
    sealed interface ItemResult {

        /** Result of a get; null if there is no such item. */
        record Found(@Nullable Item item) implements ItemResult {
        }

        /** Result of a put. */
        record Stored() implements ItemResult {
        }

        /** Result of a search. */
        record Items(List<Item> items) implements ItemResult {
        }

        /** Result of a search of namespaces. */
        record NamespaceList(List<List<String>> namespaces) implements ItemResult {
        }
    }

    /** A stored item; its value is a JSON object. */
    record Item(List<String> namespace, String key, String value, Instant createdAt, Instant updatedAt) {
    }
}
