package dev.waybill.runtime.checkpoint;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestReader;

/** Values of one message that are sent in parts before it. Its memory is reserved when the first part is acknowledged. */
final class PartialMessage implements RequestReader.Parts {

    private final long number;
    private final int total;
    private final List<byte[]> values = new ArrayList<>();
    private int allocated;
    /** Number of bytes of the last value that were received. */
    private int filled;
    private boolean reserved;
    private boolean taken;

    PartialMessage(long number, int total) {
        this.number = number;
        this.total = total;
    }

    long number() {
        return number;
    }

    int total() {
        return total;
    }

    /** Records that the memory is reserved. */
    synchronized void markReserved() {
        reserved = true;
    }

    /** Returns whether the memory is reserved, so that further parts may be sent. */
    synchronized boolean isReserved() {
        return reserved;
    }

    /** Returns whether a request refers to one of the values. */
    synchronized boolean isTaken() {
        return taken;
    }

    /** Appends bytes to the value, or begins the next one; its array has the announced size. */
    synchronized void append(int value, int size, byte[] bytes) {
        if (value == values.size() && isLastComplete()) {
            if (size > total - allocated) {
                throw invalid("`size` must not exceed the rest of `total`.");
            }
            allocated += size;
            filled = 0;
            values.add(new byte[size]);
        }
        if (value != values.size() - 1 || values.get(value).length != size) {
            throw invalid("`part` must be the number of the value in progress, or of the next one if that is complete.");
        }
        if (bytes.length > size - filled) {
            throw invalid("The parts of a value must not exceed its `size`.");
        }
        System.arraycopy(bytes, 0, values.get(value), filled, bytes.length);
        filled += bytes.length;
    }

    @Override
    public synchronized byte[] take(int part, int size) {
        boolean complete = part < values.size() - 1 || part == values.size() - 1 && isLastComplete();
        if (!complete || values.get(part).length != size) {
            throw invalid("The value of part " + part + " was not sent before, is incomplete or has another size.");
        }
        taken = true;
        return values.get(part);
    }

    private boolean isLastComplete() {
        return values.isEmpty() || filled == values.getLast().length;
    }

    private static RequestException invalid(String message) {
        return new RequestException(Code.INVALID_PARAMS, message);
    }
}
