package dev.waybill.export.preview;

import java.util.HashSet;
import java.util.Set;

import dev.waybill.export.parquet.XxHash64;

/**
 * How often texts repeat themselves in a sample of blocks that are far from each other. Files hold a text once a row group, so
 * a
 * text that comes again far away shows how many different ones there are.
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

    /** Returns what was found. */
    RepetitionStats repetition() {
        return new RepetitionStats(bytes, bytesInBlocks, distinctBytes, values, repeats);
    }
}
