package dev.waybill.runtime.protocol;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** An operation of a worker on the store, with its result. JSON members are UTF-8 on one line. */
public sealed interface StoreOperation {

    /** Returns an item. */
    record Get(List<String> namespace, String key, boolean refreshTtl) implements StoreOperation {
    }

    /**
     * Stores or deletes an item.
     *
     * @param value JSON object; null deletes the item
     * @param ttlMinutes time to live; null for none
     */
    record Put(List<String> namespace, String key, byte @Nullable [] value, @Nullable Double ttlMinutes)
            implements
                StoreOperation {
    }

    /**
     * Returns the items below a namespace.
     *
     * @param filter JSON object with conditions for members of the value
     */
    record Search(List<String> prefix, byte @Nullable [] filter, int limit, int offset, boolean refreshTtl)
            implements
                StoreOperation {
    }

    /**
     * Returns the namespaces that match all conditions.
     *
     * @param maxDepth maximum number of labels, beyond which namespaces are truncated; null for no maximum
     */
    record Namespaces(List<Match> match, @Nullable Integer maxDepth, int limit, int offset) implements StoreOperation {
    }

    /** A condition for the labels at the beginning or the end of a namespace; {@code *} matches any label. */
    record Match(boolean suffix, List<String> path) {
    }

    /** Result of an operation. */
    sealed interface Outcome {

        /** The item does not exist, or was stored. */
        record None() implements Outcome {
        }

        /** The item. */
        record Found(Item item) implements Outcome {
        }

        /** The items of a search. */
        record Items(List<Item> items) implements Outcome {
        }

        /** The namespaces of a search. */
        record Labels(List<List<String>> namespaces) implements Outcome {
        }
    }

    /**
     * A stored item.
     *
     * @param value JSON object, or a reference to it; its type is ignored
     */
    record Item(List<String> namespace, String key, SerializedValue value, Instant createdAt, Instant updatedAt) {
    }
}
