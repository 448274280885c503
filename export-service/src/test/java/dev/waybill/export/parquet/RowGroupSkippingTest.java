package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.export.trace.BinaryRows;
import dev.waybill.export.trace.RunColumn;

/** Tests the statistics and Bloom filters by which readers skip row groups. */
class RowGroupSkippingTest {

    private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
    private static final int RUNS = 3_000;
    private static final int RUNS_PER_TRACE = 5;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(FormatVersion.class)
    void everyColumnHasItsNullCount(FormatVersion version) throws Exception {
        ParquetFiles files = write(version, ExportField.defaults(), 4 << 20);

        for (RowGroup rows : metadata(files).getRow_groups()) {
            assertThat(rows.getColumns()).hasSize(ExportField.defaults().size()).allSatisfy(column -> assertThat(
                    column.getMeta_data().getStatistics().isSetNull_count()).as("%s", column.getMeta_data().getPath_in_schema())
                    .isTrue());
        }
        for (ExportField field : ExportField.defaults()) {
            String column = field.wireName();
            String nulls = field.type(version) == ExportType.LIST
                    ? "count(*) FILTER (%1$s IS NULL OR len(%1$s) = 0) + coalesce(sum(len(list_filter(%1$s, x -> x IS NULL))), 0)"
                            .formatted(column)
                    : "count(*) - count(%s)".formatted(column);
            assertThat(files.query("""
                    SELECT (SELECT %s FROM FILES)::BIGINT AS counted,
                        (SELECT sum(stats_null_count)::BIGINT FROM parquet_metadata(FILES)
                         WHERE path_in_schema = '%s' OR starts_with(path_in_schema, '%s,')) AS stored
                    """.formatted(nulls, column, column))).as(column)
                    .allSatisfy(row -> assertThat(row.get("stored")).isEqualTo(row.get("counted")));
        }
    }

    @ParameterizedTest
    @EnumSource(FormatVersion.class)
    void namesHaveBoundsInEveryRowGroup(FormatVersion version) throws Exception {
        ParquetFiles files = write(version, ExportField.defaults(), 64 << 10);

        assertThat(metadata(files).getRow_groups()).hasSizeGreaterThan(3);
        for (String column : List.of("name", "run_type", "status", "session_name", "tenant_id", "trace_tier")) {
            assertThat(files.query("""
                    SELECT min(stats_min_value) AS least, max(stats_max_value) AS most, count(stats_min_value) AS bounded,
                        count(*) AS chunks
                    FROM parquet_metadata(FILES) WHERE path_in_schema = '%s'""".formatted(column)).getFirst())
                    .as(column)
                    .isEqualTo(files.query("""
                            SELECT min(%1$s) AS least, max(%1$s) AS most,
                                (SELECT CASE WHEN (SELECT count(%1$s) FROM FILES) = 0 THEN 0 ELSE count(*) END
                                 FROM parquet_metadata(FILES) WHERE path_in_schema = '%1$s') AS bounded,
                                (SELECT count(*) FROM parquet_metadata(FILES) WHERE path_in_schema = '%1$s') AS chunks
                            FROM FILES""".formatted(column)).getFirst());
        }
    }

    @ParameterizedTest
    @EnumSource(FormatVersion.class)
    void rowGroupsDeclareTheirSortOrder(FormatVersion version) throws Exception {
        ParquetFiles files = write(version, ExportField.defaults(), 64 << 10);

        assertThat(metadata(files).getRow_groups()).allSatisfy(rows -> assertThat(rows.getSorting_columns()).containsExactly(
                new SortingColumn(ExportField.defaults().indexOf(ExportField.START_TIME), false, false),
                new SortingColumn(ExportField.defaults().indexOf(ExportField.ID), false, false)));
        assertThat(files.query("""
                SELECT count(*) AS wrong FROM (
                    SELECT (start_time, id) < lag((start_time, id)) OVER (ORDER BY file_row_number) AS descends
                    FROM read_parquet(FILES, file_row_number = true)) WHERE descends""")).containsExactly(Map.of("wrong", 0L));
    }

    @Test
    void sortOrderEndsAtAMissingColumn() throws Exception {
        assertThat(metadata(write(FormatVersion.V1, List.of(ExportField.ID, ExportField.NAME), 4 << 20)).getRow_groups()
                .getFirst().getSorting_columns()).isNull();
        assertThat(ExportSchema.of(List.of(ExportField.NAME, ExportField.START_TIME), FormatVersion.V1).order())
                .containsExactly(new SortingColumn(1, false, false));
    }

    @Test
    void bloomFiltersContainAllIdsAndFewOthers() throws Exception {
        ParquetFiles files = write(FormatVersion.V2_BETA, ExportField.defaults(), 64 << 10);
        byte[] file = Files.readAllBytes(files.path(0));
        List<RowGroup> groups = metadata(files).getRow_groups();

        long wrong = 0;
        int first = 0;
        for (RowGroup group : groups) {
            BlockSplitBloomFilter ids = bloomFilter(file, group, ExportField.ID);
            BlockSplitBloomFilter traces = bloomFilter(file, group, ExportField.TRACE_ID);
            int next = first + (int) group.getNum_rows();
            for (int i = 0; i < RUNS; i++) {
                boolean isInside = i >= first && i < next;
                boolean mayHaveId = contains(ids, id(i));
                assertThat(mayHaveId || !isInside).as("run %s", i).isTrue();
                assertThat(contains(traces, trace(i)) || !isInside).as("trace of run %s", i).isTrue();
                wrong += mayHaveId && !isInside ? 1 : 0;
            }
            // The size depends on the number of distinct values.
            assertThat(traces.getBitsetSize()).isLessThan(ids.getBitsetSize());
            first = next;
        }
        assertThat(first).isEqualTo(RUNS);
        assertThat(wrong).isLessThan(RUNS * groups.size() / 10);
    }

    @Test
    void readerFindsEveryRunByItsIds() throws Exception {
        ParquetFiles files = write(FormatVersion.V1, ExportField.defaults(), 64 << 10);

        for (int i = 0; i < RUNS; i += 271) {
            assertThat(files.query("SELECT count(*) AS found FROM FILES WHERE id = '" + id(i) + "'"))
                    .containsExactly(Map.of("found", 1L));
            assertThat(files.query("SELECT count(*) AS found FROM FILES WHERE trace_id = '" + trace(i) + "'"))
                    .containsExactly(Map.of("found", (long) RUNS_PER_TRACE));
            assertThat(files.query("SELECT count(*) FILTER (bloom_filter_excludes) < count(*) AS found FROM"
                    + " parquet_bloom_probe(FILES, 'trace_id', '" + trace(i) + "')")).containsExactly(Map.of("found", true));
        }
        assertThat(files.query("SELECT count(*) FILTER (bloom_filter_excludes) > 0 AS excludes FROM"
                + " parquet_bloom_probe(FILES, 'id', '" + UUID.randomUUID() + "')")).containsExactly(Map.of("excludes", true));
        assertThat(files.query("SELECT count(*) AS found FROM FILES WHERE error IS NOT NULL"))
                .containsExactly(Map.of("found", (long) RUNS / 1_000));
    }

    private ParquetFiles write(FormatVersion version, List<ExportField> fields, int rowGroupBytes) throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        var settings = new FileSettings(Compression.ZSTANDARD, "1.2.3", 64 << 20, rowGroupBytes, Map.of());
        try (var writer = new ParquetRunWriter(ExportSchema.of(fields, version),
                new ExportedSession(UUID.randomUUID(), UUID.randomUUID(), "a session"), settings, files)) {
            for (int i = 0; i < RUNS; i++) {
                writer.row(BinaryRows.of(run(i)));
            }
            writer.finish(RUNS);
        }
        return files;
    }

    private static Map<RunColumn, Object> run(int i) {
        Map<RunColumn, Object> run = new LinkedHashMap<>(Map.of(RunColumn.ID, id(i), RunColumn.TRACE_ID, trace(i),
                RunColumn.START_TIME, START.plusSeconds(i / 2), RunColumn.NAME, "step " + i % 700, RunColumn.RUN_TYPE,
                i % 3 == 0 ? "llm" : "chain", RunColumn.STATUS, "success", RunColumn.INPUTS, "{\"number\": " + i + "}"));
        if (i % 2 == 0) {
            run.put(RunColumn.PARENT_RUN_ID, id(i / 2));
            run.put(RunColumn.TAGS, i % 4 == 0 ? List.of() : Arrays.asList("a", null, "b"));
            run.put(RunColumn.TOTAL_TOKENS, (long) i);
            run.put(RunColumn.OUTPUTS, "{\"text\": \"" + id(i) + "\"}");
        }
        if (i % 1_000 == 0) {
            run.put(RunColumn.ERROR, "it failed");
        }
        return run;
    }

    private static UUID id(int i) {
        return new UUID(0x0190a0007000L + i, 0x9000_0000_0000_0000L + i);
    }

    private static UUID trace(int i) {
        return new UUID(1, i / RUNS_PER_TRACE);
    }

    private static boolean contains(BlockSplitBloomFilter filter, UUID id) {
        return filter.findHash(filter.hash(Binary.fromString(id.toString())));
    }

    private static BlockSplitBloomFilter bloomFilter(byte[] file, RowGroup group, ExportField field) throws IOException {
        ColumnMetaData column = group.getColumns().get(ExportField.defaults().indexOf(field)).getMeta_data();
        var in = new ByteArrayInputStream(file, (int) column.getBloom_filter_offset(), column.getBloom_filter_length());
        BloomFilterHeader header = Util.readBloomFilterHeader(in);
        byte[] bits = in.readAllBytes();
        assertThat(bits).hasSize(header.getNumBytes());
        return new BlockSplitBloomFilter(bits);
    }

    private static FileMetaData metadata(ParquetFiles files) throws IOException {
        byte[] file = Files.readAllBytes(files.path(0));
        int trailer = file.length - 8;
        assertThat(new String(file, trailer + 4, 4, UTF_8)).isEqualTo("PAR1");
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer);
        return Util.readFileMetaData(new ByteArrayInputStream(file, trailer - length, length));
    }
}
