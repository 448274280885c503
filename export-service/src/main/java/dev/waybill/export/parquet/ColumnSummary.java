package dev.waybill.export.parquet;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a column in a file.
 *
 * @param name the name of the column
 * @param values the number of values with nulls
 * @param nulls the number of nulls; null if unknown
 * @param bytes the compressed size
 * @param bounds null if a row group with values has none
 */
public record ColumnSummary(String name, long values, @Nullable Long nulls, long bytes, @Nullable Bounds bounds) {

    /** The smallest and the largest value, plainly encoded as in Parquet. */
    public record Bounds(byte[] min, byte[] max) {
    }

    static ColumnSummary of(List<ColumnMetaData> chunks) {
        boolean nullsKnown = chunks.stream().allMatch(chunk -> chunk.isSetStatistics()
                && chunk.getStatistics().isSetNull_count());
        return new ColumnSummary(chunks.getFirst().getPath_in_schema().getFirst(),
                chunks.stream().mapToLong(ColumnMetaData::getNum_values).sum(),
                nullsKnown ? chunks.stream().mapToLong(chunk -> chunk.getStatistics().getNull_count()).sum() : null,
                chunks.stream().mapToLong(ColumnMetaData::getTotal_compressed_size).sum(), bounds(chunks));
    }

    private static @Nullable Bounds bounds(List<ColumnMetaData> chunks) {
        Comparator<byte[]> order = order(chunks.getFirst().getType());
        List<Statistics> statistics = chunks.stream()
                .map(ColumnMetaData::getStatistics)
                .filter(Objects::nonNull)
                .toList();
        boolean isKnown = statistics.size() == chunks.size() && Stream.iterate(0, i -> i < chunks.size(), i -> i + 1)
                .allMatch(i -> statistics.get(i).isSetMin_value() && statistics.get(i).isSetMax_value()
                        || isEmpty(chunks.get(i)));
        List<Statistics> bounded = statistics.stream().filter(Statistics::isSetMin_value).toList();
        if (!isKnown || order == null || bounded.isEmpty()) {
            return null;
        }
        return new Bounds(bounded.stream().map(Statistics::getMin_value).min(order).orElseThrow(),
                bounded.stream().map(Statistics::getMax_value).max(order).orElseThrow());
    }

    private static boolean isEmpty(ColumnMetaData chunk) {
        return chunk.getStatistics().isSetNull_count() && chunk.getStatistics().getNull_count() == chunk.getNum_values();
    }

    private static @Nullable Comparator<byte[]> order(Type type) {
        return switch (type) {
            case BYTE_ARRAY, BOOLEAN -> Arrays::compareUnsigned;
            case DOUBLE -> Comparator.comparingDouble(PlainValues::float64);
            case INT64 -> Comparator.comparingLong(PlainValues::int64);
            default -> null;
        };
    }
}
