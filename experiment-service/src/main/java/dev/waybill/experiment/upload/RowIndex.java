package dev.waybill.experiment.upload;

import java.util.Arrays;
import java.util.UUID;

/**
 * The positions and ids of the rows in a body. It uses a few dozen bytes per row, because a body may have very many small
 * rows.
 */
final class RowIndex {

    private static final int INITIAL_CAPACITY = 256;
    private static final int EMPTY = 0;

    private long[] starts = new long[INITIAL_CAPACITY];
    private int[] lengths = new int[INITIAL_CAPACITY];
    private int rows;
    // Hash table with open addressing: row positions, counted from 1, by id.
    private int[] byId = new int[2 * INITIAL_CAPACITY];
    private long[] high = new long[INITIAL_CAPACITY];
    private long[] low = new long[INITIAL_CAPACITY];
    private int[] rowOfId = new int[INITIAL_CAPACITY];
    private int ids;

    /** Adds the next row. */
    void add(long from, long to) {
        if (rows == starts.length) {
            starts = Arrays.copyOf(starts, 2 * rows);
            lengths = Arrays.copyOf(lengths, 2 * rows);
        }
        starts[rows] = from;
        lengths[rows] = (int) Math.min(Integer.MAX_VALUE, to - from);
        rows++;
    }

    /**
     * Registers the id of row {@code row}; returns the first row with this id, which is {@code row} itself if the id is new.
     */
    int firstRowWithId(UUID id, int row) {
        if (2 * (ids + 1) > byId.length) {
            grow();
        }
        int slot = slotOf(id.getMostSignificantBits(), id.getLeastSignificantBits());
        if (byId[slot] != EMPTY) {
            return rowOfId[byId[slot] - 1];
        }
        high[ids] = id.getMostSignificantBits();
        low[ids] = id.getLeastSignificantBits();
        rowOfId[ids] = row;
        ids++;
        byId[slot] = ids;
        return row;
    }

    /** Returns the number of rows. */
    int rows() {
        return rows;
    }

    long start(int row) {
        return starts[row];
    }

    long end(int row) {
        return starts[row] + lengths[row];
    }

    private int slotOf(long idHigh, long idLow) {
        int mask = byId.length - 1;
        // Clients choose the ids, so their bits are mixed.
        long mixed = (idHigh * 0x9e3779b97f4a7c15L ^ idLow) * 0xbf58476d1ce4e5b9L;
        int slot = (int) (mixed >>> 32) & mask;
        while (byId[slot] != EMPTY && (high[byId[slot] - 1] != idHigh || low[byId[slot] - 1] != idLow)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        int capacity = 2 * high.length;
        high = Arrays.copyOf(high, capacity);
        low = Arrays.copyOf(low, capacity);
        rowOfId = Arrays.copyOf(rowOfId, capacity);
        byId = new int[2 * capacity];
        for (int i = 0; i < ids; i++) {
            byId[slotOf(high[i], low[i])] = i + 1;
        }
    }
}
