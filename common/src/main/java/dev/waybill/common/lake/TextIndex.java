package dev.waybill.common.lake;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Reads the text index of a file of runs. */
public final class TextIndex {

    private static final int BUFFER_BYTES = 64 << 10;

    private TextIndex() {
    }

    /**
     * Validates a complete index.
     *
     * @throws IOException if it is damaged or has another format
     */
    public static void validate(Path index) throws IOException {
        try (FileChannel file = FileChannel.open(index, StandardOpenOption.READ)) {
            Directory directory = Directory.read(file);
            CRC32C checksum = new CRC32C();
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            long end = file.size() - IndexFormat.TRAILER_BYTES + IndexFormat.CHECKED_TRAILER_BYTES;
            for (long position = 0; position < end; position += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
                readFully(file, buffer, position);
                checksum.update(buffer);
            }
            if ((int) checksum.getValue() != directory.checksum()) {
                throw new IOException("the checksum of the text index is wrong");
            }
        }
    }

    /**
     * Returns the rows of a validated index in whose blocks the condition may match, in ascending order.
     *
     * @param fileBytes size of the file of runs
     * @throws IOException if the index cannot be read or belongs to another file
     */
    public static SelectedRows select(Path index, long fileBytes, TextCondition condition) throws IOException {
        try (FileChannel file = FileChannel.open(index, StandardOpenOption.READ); Arena arena = Arena.ofConfined()) {
            Directory directory = Directory.read(file);
            if (directory.fileBytes() != fileBytes) {
                throw new IOException("the text index belongs to a file of " + directory.fileBytes() + " bytes");
            }
            // Most blocks are excluded by a few bytes of their bitmap.
            MemorySegment bitmaps = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
            List<RowRange> ranges = new ArrayList<>();
            long position = 0;
            long row = 0;
            for (Block block : directory.blocks()) {
                long bitmap = position;
                if (condition.mayMatch(gram -> isSet(bitmaps, bitmap, gram & block.bits() - 1))) {
                    RowRange.add(ranges, row, row + block.rows());
                }
                position += block.bits() / Byte.SIZE;
                row += block.rows();
            }
            return new SelectedRows(ranges, row);
        }
    }

    private static boolean isSet(MemorySegment bitmaps, long bitmap, int bit) {
        return (bitmaps.get(ValueLayout.JAVA_BYTE, bitmap + bit / Byte.SIZE) & 1 << bit % Byte.SIZE) != 0;
    }

    private static void readFully(FileChannel file, ByteBuffer buffer, long position) throws IOException {
        while (buffer.hasRemaining()) {
            if (file.read(buffer, position + buffer.position()) < 0) {
                throw new IOException("the text index is incomplete");
            }
        }
        buffer.flip();
    }

    /**
     * Rows of a file.
     *
     * @param ranges in ascending order, not adjacent
     * @param rows number of all rows of the file
     */
    public record SelectedRows(List<RowRange> ranges, long rows) {

        public SelectedRows {
            ranges = List.copyOf(ranges);
        }

        /** Returns the share of the rows of the file that the ranges contain. */
        public double share() {
            return ranges.stream().mapToLong(RowRange::rows).sum() / (double) Math.max(1, rows);
        }
    }

    /**
     * Consecutive rows of a file.
     *
     * @param first number of the first row, from 0
     * @param end number of the row after the last one
     */
    public record RowRange(long first, long end) {

        /** Returns the number of rows. */
        public long rows() {
            return end - first;
        }

        private static void add(List<RowRange> ranges, long first, long end) {
            if (!ranges.isEmpty() && ranges.getLast().end() == first) {
                ranges.add(new RowRange(ranges.removeLast().first(), end));
            } else {
                ranges.add(new RowRange(first, end));
            }
        }
    }

    private record Block(int rows, int bits) {
    }

    private record Directory(List<Block> blocks, long fileBytes, int checksum) {

        static Directory read(FileChannel file) throws IOException {
            ByteBuffer trailer = read(file, file.size() - IndexFormat.TRAILER_BYTES, IndexFormat.TRAILER_BYTES);
            long fileBytes = trailer.getLong();
            int count = trailer.getInt();
            int checksum = trailer.getInt();
            int version = trailer.getInt();
            if (version != IndexFormat.VERSION) {
                throw new IOException("the text index has another format");
            }
            long start = file.size() - IndexFormat.TRAILER_BYTES - (long) count * IndexFormat.ENTRY_BYTES;
            if (count < 0 || start < 0) {
                throw new IOException("the text index is damaged");
            }
            ByteBuffer entries = read(file, start, count * IndexFormat.ENTRY_BYTES);
            List<Block> blocks = new ArrayList<>(count);
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                Block block = new Block(entries.getInt(), entries.getInt());
                if (block.rows() <= 0 || block.bits() < IndexFormat.MIN_BITS || block.bits() > GramSet.MAX_SIZE
                        || Integer.bitCount(block.bits()) != 1) {
                    throw new IOException("the text index is damaged");
                }
                blocks.add(block);
                bytes += block.bits() / Byte.SIZE;
            }
            if (bytes != start) {
                throw new IOException("the text index is damaged");
            }
            return new Directory(blocks, fileBytes, checksum);
        }

        private static ByteBuffer read(FileChannel file, long position, int length) throws IOException {
            if (position < 0) {
                throw new IOException("the text index is incomplete");
            }
            ByteBuffer buffer = ByteBuffer.allocate(length).order(IndexFormat.ORDER);
            readFully(file, buffer, position);
            return buffer;
        }
    }
}
