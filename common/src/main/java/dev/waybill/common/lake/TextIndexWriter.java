package dev.waybill.common.lake;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes the text index of a file of runs. A block ends before so many of its bits are set that they exclude nothing, so the
 * size
 * of the index follows the amount of different text. For one thread.
 */
public final class TextIndexWriter {

    private static final int BYTES_BETWEEN_CHECKS = 16 << 10;
    // Two fifths of the bits: four grams are all set by chance in 2.6 % of the blocks.
    private static final int MAX_SET_OF_FIVE = 2;

    private final OutputStream target;
    private final CRC32C checksum = new CRC32C();
    private final GramSet grams = new GramSet();
    private final List<Block> blocks = new ArrayList<>();
    private int rows;
    private int uncheckedBytes;

    /** Creates a writer that does not close {@code target}. */
    public TextIndexWriter(OutputStream target) {
        this.target = target;
    }

    /** Adds a text in UTF-8 of the current row. */
    public void addText(byte[] text, int offset, int length) {
        grams.add(text, offset, length);
        uncheckedBytes += length;
    }

    /** Adds a JSON document in UTF-8 of the current row. */
    public void addDocument(byte[] json, int offset, int length) {
        grams.addDocument(json, offset, length);
        uncheckedBytes += length;
    }

    /** Ends the current row. */
    public void endRow() throws IOException {
        rows++;
        boolean isFull = rows == IndexFormat.MAX_BLOCK_ROWS;
        if (!isFull && uncheckedBytes >= BYTES_BETWEEN_CHECKS) {
            uncheckedBytes = 0;
            isFull = isFull(grams.size(), GramSet.MAX_SIZE);
        }
        if (isFull) {
            endBlock();
        }
    }

    /** Ends the block, so that none extends over two row groups, which readers would read both. */
    public void endBlock() throws IOException {
        if (rows == 0) {
            return;
        }
        int size = grams.size();
        int bits = IndexFormat.MIN_BITS;
        while (bits < GramSet.MAX_SIZE && isFull(size, bits)) {
            bits *= 2;
        }
        ByteBuffer bitmap = ByteBuffer.allocate(bits / Byte.SIZE).order(IndexFormat.ORDER);
        bitmap.asLongBuffer().put(grams.folded(bits));
        write(bitmap.array());
        blocks.add(new Block(rows, bits));
        grams.clear();
        rows = 0;
        uncheckedBytes = 0;
    }

    /**
     * Writes the remaining blocks and the directory.
     *
     * @param fileBytes size of the file of runs
     */
    public void finish(long fileBytes) throws IOException {
        endBlock();
        ByteBuffer directory = ByteBuffer.allocate(blocks.size() * IndexFormat.ENTRY_BYTES
                + IndexFormat.CHECKED_TRAILER_BYTES).order(IndexFormat.ORDER);
        blocks.forEach(block -> directory.putInt(block.rows()).putInt(block.bits()));
        directory.putLong(fileBytes).putInt(blocks.size());
        write(directory.array());
        target.write(ByteBuffer.allocate(2 * Integer.BYTES).order(IndexFormat.ORDER).putInt((int) checksum.getValue())
                .putInt(IndexFormat.VERSION).array());
    }

    private static boolean isFull(int set, int bits) {
        return 5L * set > (long) MAX_SET_OF_FIVE * bits;
    }

    private void write(byte[] bytes) throws IOException {
        checksum.update(bytes);
        target.write(bytes, 0, bytes.length);
    }

    private record Block(int rows, int bits) {
    }
}
