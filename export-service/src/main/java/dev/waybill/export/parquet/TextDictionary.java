package dev.waybill.export.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;

/**
 * The distinct values of a column of text, in order of appearance and in the layout of the dictionary page. parquet-java's own
 * dictionary stores an object per value and is designed for one megabyte, not thirty.
 */
final class TextDictionary implements AutoCloseable {

    static final int FULL = -1;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final int INITIAL_BYTES = 16 << 10;
    private static final int INITIAL_SLOTS = 256;
    // ByteBuffer.mismatch costs more for names and statuses.
    private static final int LONG_TEXT = 256;

    private final NativeMemory memory;
    private final int maxBytes;
    // Random, so that values cannot be chosen to collide.
    private final long seed = ThreadLocalRandom.current().nextLong();
    private ByteBuffer entries;
    private int end;
    private int count;
    private int[] offsets = new int[INITIAL_SLOTS / 2];
    private long[] hashes = new long[INITIAL_SLOTS / 2];
    // Open addressing; a slot contains an entry's index plus one.
    private int[] slots = new int[INITIAL_SLOTS];

    TextDictionary(NativeMemory memory, int maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
        this.entries = memory.allocate(INITIAL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the value's index, or {@link #FULL} if the value is new and the dictionary is full. */
    int indexOf(byte[] bytes, int offset, int length) {
        long hash = hash(bytes, offset, length);
        int slot = (int) hash & slots.length - 1;
        for (int taken = slots[slot]; taken != 0; taken = slots[slot]) {
            if (hashes[taken - 1] == hash && isEntry(taken - 1, bytes, offset, length)) {
                return taken - 1;
            }
            slot = slot + 1 & slots.length - 1;
        }
        if (length > maxBytes - end - Integer.BYTES) {
            return FULL;
        }
        append(bytes, offset, length, hash);
        slots[slot] = count;
        if (2 * count == slots.length) {
            growTables();
        }
        return count - 1;
    }

    int count() {
        return count;
    }

    int bytes() {
        return end;
    }

    /** Writes the value at the index to a column. */
    void copy(int index, PlainTextColumn column) {
        int offset = offsets[index];
        column.write(entries, offset + Integer.BYTES, entries.getInt(offset));
    }

    DictionaryPage page() {
        return new DictionaryPage(BytesInput.from(entries.slice(0, end)), end, count, Encoding.PLAIN);
    }

    private boolean isEntry(int index, byte[] bytes, int offset, int length) {
        if (entries.getInt(offsets[index]) != length) {
            return false;
        }
        int start = offsets[index] + Integer.BYTES;
        if (length > LONG_TEXT) {
            return entries.slice(start, length).mismatch(ByteBuffer.wrap(bytes, offset, length)) < 0;
        }
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            if (entries.getLong(start + at) != (long) LONG.get(bytes, offset + at)) {
                return false;
            }
        }
        while (at < length && entries.get(start + at) == bytes[offset + at]) {
            at++;
        }
        return at >= length;
    }

    private void append(byte[] bytes, int offset, int length, long hash) {
        int size = Integer.BYTES + length;
        if (size > entries.limit() - end) {
            growEntries(size);
        }
        entries.putInt(end, length);
        entries.put(end + Integer.BYTES, bytes, offset, length);
        offsets[count] = end;
        hashes[count] = hash;
        count++;
        end += size;
    }

    private void growEntries(int size) {
        int doubled = (int) Math.min(2L * entries.limit(), maxBytes);
        ByteBuffer larger = memory.allocate(Math.max(end + size, doubled)).order(ByteOrder.LITTLE_ENDIAN);
        larger.put(0, entries, 0, end);
        memory.release(entries);
        entries = larger;
    }

    private void growTables() {
        offsets = Arrays.copyOf(offsets, 2 * offsets.length);
        hashes = Arrays.copyOf(hashes, 2 * hashes.length);
        slots = new int[2 * slots.length];
        for (int index = 0; index < count; index++) {
            int slot = (int) hashes[index] & slots.length - 1;
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = index + 1;
        }
    }

    private long hash(byte[] bytes, int offset, int length) {
        long hash = seed ^ length;
        int at = offset;
        int stop = offset + length;
        for (; at <= stop - 2 * Long.BYTES; at += 2 * Long.BYTES) {
            hash = mix((long) LONG.get(bytes, at) ^ MULTIPLIER, (long) LONG.get(bytes, at + Long.BYTES) ^ hash);
        }
        for (; at < stop; at++) {
            hash = (hash ^ bytes[at]) * MULTIPLIER;
        }
        return mix(hash, seed ^ MULTIPLIER);
    }

    private static long mix(long left, long right) {
        return Math.multiplyHigh(left, right) ^ left * right;
    }

    @Override
    public void close() {
        memory.release(entries);
    }
}
