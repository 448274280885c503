package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** Reads the footer of a file that this service has written; the parser has no limits for other files. */
public final class FileFooter {

    private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
    private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length;

    private FileFooter() {
    }

    /**
     * Returns the size of the footer with its trailer, which may be more than {@code end} contains.
     *
     * @param end the last bytes of the file
     * @throws IOException if the file does not end as a Parquet file
     */
    public static int size(byte[] end) throws IOException {
        int trailer = end.length - TRAILER_BYTES;
        if (trailer < 0 || !Arrays.equals(end, end.length - MAGIC.length, end.length, MAGIC, 0, MAGIC.length)) {
            throw new IOException("the file does not end as a Parquet file");
        }
        return Math.addExact(ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer), TRAILER_BYTES);
    }

    /**
     * Returns statistics of the columns that are not lists, over all row groups.
     *
     * @param end the last bytes of the file, at least {@link #size}
     */
    public static List<ColumnSummary> columns(byte[] end) throws IOException {
        int size = size(end);
        FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(end, end.length - size, size));
        List<RowGroup> groups = metadata.getRow_groups();
        return groups.isEmpty() ? List.of()
                : IntStream.range(0, groups.getFirst().getColumnsSize())
                        .mapToObj(column -> groups.stream()
                                .map(group -> group.getColumns().get(column).getMeta_data())
                                .toList())
                        .filter(chunks -> chunks.getFirst().getPath_in_schema().size() == 1)
                        .map(ColumnSummary::of)
                        .toList();
    }

    /**
     * Returns the number of rows in all row groups; empty without a complete footer.
     *
     * @param end the last bytes of the file
     */
    public static OptionalLong rows(byte[] end) {
        int trailer = end.length - TRAILER_BYTES;
        if (trailer < 0 || !Arrays.equals(end, end.length - MAGIC.length, end.length, MAGIC, 0, MAGIC.length)) {
            return OptionalLong.empty();
        }
        int length = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer);
        if (length < 0 || length > trailer) {
            return OptionalLong.empty();
        }
        try {
            FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(end, trailer - length, length));
            return OptionalLong.of(metadata.getRow_groups().stream().mapToLong(RowGroup::getNum_rows).sum());
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
