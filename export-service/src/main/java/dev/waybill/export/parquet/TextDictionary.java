package dev.waybill.export.parquet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong EIGHT_BYTES = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final int INITIAL_BYTES = 16 << 10;
    // Above this size it grows to its maximum in one step: unwritten memory costs nothing, and copying would cost twice.
    private static final int SMALL_BYTES = 1 << 20;
    private static final int INITIAL_SLOTS = 256;
    // MemorySegment.mismatch takes a tenth of an export of small rows if it compares names and statuses.
    private static final int LONG_TEXT = 256;

    private final NativeMemory memory;
    private final int maxBytes;
    // Random, so that values cannot be chosen to collide.
    private final long seed = ThreadLocalRandom.current().nextLong();
    private ByteBuffer buffer;
    private MemorySegment entries;
    private int end;
    private int count;
    private int[] offsets = new int[INITIAL_SLOTS / 2];
    private long[] hashes = new long[INITIAL_SLOTS / 2];
    // Open addressing; a slot contains an entry's index plus one.
    private int[] slots = new int[INITIAL_SLOTS];

    TextDictionary(NativeMemory memory, int maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
        this.buffer = memory.allocate(INITIAL_BYTES);
        this.entries = MemorySegment.ofBuffer(buffer);
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
        column.write(entries, offset + Integer.BYTES, entries.get(LENGTH, offset));
    }

    DictionaryPage page() {
        return new DictionaryPage(BytesInput.from(buffer.slice(0, end)), end, count, Encoding.PLAIN);
    }

    private boolean isEntry(int index, byte[] bytes, int offset, int length) {
        if (entries.get(LENGTH, offsets[index]) != length) {
            return false;
        }
        long start = offsets[index] + (long) Integer.BYTES;
        if (length > LONG_TEXT) {
            return MemorySegment.mismatch(entries, start, start + length, MemorySegment.ofArray(bytes), offset,
                    offset + (long) length) < 0;
        }
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            if (entries.get(EIGHT_BYTES, start + at) != (long) LONG.get(bytes, offset + at)) {
                return false;
            }
        }
        while (at < length && entries.get(ValueLayout.JAVA_BYTE, start + at) == bytes[offset + at]) {
            at++;
        }
        return at >= length;
    }

    private void append(byte[] bytes, int offset, int length, long hash) {
        int size = Integer.BYTES + length;
        if (size > entries.byteSize() - end) {
            growEntries(size);
        }
        entries.set(LENGTH, end, length);
        MemorySegment.copy(bytes, offset, entries, ValueLayout.JAVA_BYTE, (long) end + Integer.BYTES, length);
        offsets[count] = end;
        hashes[count] = hash;
        count++;
        end += size;
    }

    private void growEntries(int size) {
        long doubled = entries.byteSize() < SMALL_BYTES ? Math.min(2 * entries.byteSize(), maxBytes) : maxBytes;
        ByteBuffer larger = memory.allocate(Math.max(end + size, (int) doubled));
        MemorySegment segment = MemorySegment.ofBuffer(larger);
        MemorySegment.copy(entries, 0, segment, 0, end);
        memory.release(buffer);
        buffer = larger;
        entries = segment;
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
        memory.release(buffer);
    }
}
