package dev.waybill.export.preview;

import java.util.HashSet;
import java.util.Set;

import dev.waybill.export.parquet.XxHash64;

/**
 * Counts repeated texts in a sample of blocks that are far apart. A file stores a text once per row group, so a text that
 * repeats in a distant block indicates the total number of distinct texts.
 */
final class RepetitionCounter {

    private final Set<Long> seen = new HashSet<>();
    private final Set<Long> seenInBlock = new HashSet<>();
    private long bytes;
    private long bytesInBlocks;
    private long distinctBytes;
    private long values;
    private long repeats;

    void startBlock() {
        seenInBlock.clear();
    }

    void add(byte[] source, int offset, int length) {
        bytes += length;
        long hash = XxHash64.of(source, offset, length);
        if (!seenInBlock.add(hash)) {
            return;
        }
        bytesInBlocks += length;
        values++;
        if (seen.add(hash)) {
            distinctBytes += length;
        } else {
            repeats++;
        }
    }

    /** Returns the statistics. */
    RepetitionStats repetition() {
        return new RepetitionStats(bytes, bytesInBlocks, distinctBytes, values, repeats);
    }
}
