package dev.waybill.experiment.upload;

import java.util.Arrays;
import java.util.UUID;

/**
 * Where the rows of a body are, and which ids they have: some dozens of bytes a row, because a body of many small rows must fit
 * into memory this way too.
 */
final class RowIndex {

    private static final int FIRST_CAPACITY = 256;
    private static final int FREE = 0;

    private long[] starts = new long[FIRST_CAPACITY];
    private int[] lengths = new int[FIRST_CAPACITY];
    private int rows;
    // Open addressing: positions in the rows, counted from 1, by the hash of the id.
    private int[] byId = new int[2 * FIRST_CAPACITY];
    private long[] high = new long[FIRST_CAPACITY];
    private long[] low = new long[FIRST_CAPACITY];
    private int[] rowOfId = new int[FIRST_CAPACITY];
    private int ids;

    /** Notes the next row. */
    void add(long from, long to) {
        if (rows == starts.length) {
            starts = Arrays.copyOf(starts, 2 * rows);
            lengths = Arrays.copyOf(lengths, 2 * rows);
        }
        starts[rows] = from;
        lengths[rows] = (int) Math.min(Integer.MAX_VALUE, to - from);
        rows++;
    }

    /** Notes that row {@code row} has this id; answers which row had it first: the same one when it is new. */
    int firstWith(UUID id, int row) {
        if (2 * (ids + 1) > byId.length) {
            grow();
        }
        int at = place(id.getMostSignificantBits(), id.getLeastSignificantBits());
        if (byId[at] != FREE) {
            return rowOfId[byId[at] - 1];
        }
        high[ids] = id.getMostSignificantBits();
        low[ids] = id.getLeastSignificantBits();
        rowOfId[ids] = row;
        ids++;
        byId[at] = ids;
        return row;
    }

    /** How many rows there are. */
    int rows() {
        return rows;
    }

    long start(int row) {
        return starts[row];
    }

    long end(int row) {
        return starts[row] + lengths[row];
    }

    private int place(long idHigh, long idLow) {
        int mask = byId.length - 1;
        // The sender chooses the ids, so their bits are spread.
        long mixed = (idHigh * 0x9e3779b97f4a7c15L ^ idLow) * 0xbf58476d1ce4e5b9L;
        int at = (int) (mixed >>> 32) & mask;
        while (byId[at] != FREE && (high[byId[at] - 1] != idHigh || low[byId[at] - 1] != idLow)) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        int capacity = 2 * high.length;
        high = Arrays.copyOf(high, capacity);
        low = Arrays.copyOf(low, capacity);
        rowOfId = Arrays.copyOf(rowOfId, capacity);
        byId = new int[2 * capacity];
        for (int i = 0; i < ids; i++) {
            byId[place(high[i], low[i])] = i + 1;
        }
    }
}
