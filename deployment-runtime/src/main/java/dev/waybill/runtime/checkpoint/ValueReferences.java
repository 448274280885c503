package dev.waybill.runtime.checkpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.runtime.checkpoint.RequestHandler.InlineLimits;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.storage.CheckpointStorage.ValueKey;

/**
 * References to large values, which the worker of one run was sent. A value has one reference, however often it is returned.
 */
final class ValueReferences {

    private final List<Reference> references = new ArrayList<>();
    private final Map<Reference, String> names = new HashMap<>();

    /** A referenced value. */
    sealed interface Reference {

        /** A value of the thread. */
        record OfThread(ValueKey key) implements Reference {
        }

        /** A value of an item, as of its last update. */
        record OfItem(List<String> namespace, String key, Instant updatedAt) implements Reference {
        }
    }

    /** Returns the name under which the worker reads the value. */
    synchronized String name(Reference reference) {
        return names.computeIfAbsent(reference, added -> {
            references.add(added);
            return Integer.toString(references.size() - 1);
        });
    }

    /** @throws RequestException if the worker was not sent the name */
    synchronized Reference find(String name) {
        try {
            return references.get(Integer.parseInt(name));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new RequestException(Code.INVALID_PARAMS, "`ref` must be a reference that this run was sent.");
        }
    }

    /** Space for values in one response. */
    static final class InlineSpace {

        private final int valueBytes;
        private int remaining;

        InlineSpace(InlineLimits limits) {
            this.valueBytes = limits.valueBytes();
            this.remaining = limits.totalBytes();
        }

        /** Takes the space of a value; returns false if it must be a reference. */
        boolean tryTake(int size) {
            boolean fits = size <= valueBytes && size <= remaining;
            if (fits) {
                remaining -= size;
            }
            return fits;
        }

        /** Takes the space of a member that cannot be a reference; returns false if it exceeds the rest. */
        boolean takeAlways(int size) {
            boolean fits = size <= remaining;
            remaining = Math.max(0, remaining - size);
            return fits;
        }
    }
}
