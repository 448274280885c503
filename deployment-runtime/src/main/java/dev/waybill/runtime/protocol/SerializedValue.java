package dev.waybill.runtime.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A value as the worker's serializer returned it; the runtime never interprets it.
 *
 * @param type type of the serializer, or {@link #EMPTY}
 * @param bytes null for the type {@link #EMPTY} and for a reference
 * @param reference name under which the worker reads the bytes; null if they are in {@code bytes}
 * @param size number of bytes
 */
public record SerializedValue(String type, byte @Nullable [] bytes, @Nullable String reference, int size) {

    /** Type of a channel whose value was removed. */
    public static final String EMPTY = "empty";

    /** Returns a value with its bytes. */
    public static SerializedValue of(String type, byte[] bytes) {
        return new SerializedValue(type, bytes, null, bytes.length);
    }

    /** Returns the value of a channel without one. */
    public static SerializedValue empty() {
        return new SerializedValue(EMPTY, null, null, 0);
    }

    /** Returns a value whose bytes the worker requests with {@code blob/read}. */
    public static SerializedValue reference(String type, String reference, int size) {
        return new SerializedValue(type, null, reference, size);
    }
}
