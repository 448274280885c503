package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.export.parquet.ParquetRunWriter.RowCountMismatchException;
import dev.waybill.export.trace.BinaryRows;
import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

class ParquetRunWriterTest {

    private static final UUID TENANT = UUID.fromString("0190a000-0000-7000-8000-000000000001");
    private static final UUID SESSION = UUID.fromString("0190a000-0000-7000-8000-000000000002");
    private static final UUID ROOT = UUID.fromString("0190a000-0000-7000-8000-000000000003");
    private static final UUID RUN = UUID.fromString("0190a000-0000-7000-8000-000000000004");
    private static final Instant START = Instant.parse("2026-02-20T23:59:59.999999Z");
    private static final Instant END = Instant.parse("2026-02-21T00:00:01.500000Z");
    private static final String JSON = "{\"text\":\"null \\u0000, quote \\\", snowman \u2603, clef \uD834\uDD1E\"}";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Compression.class)
    void version2WritesTypedColumns(Compression compression) throws Exception {
        ParquetFiles files = write(FormatVersion.V2_BETA, compression, fullRow());

        Map<String, @Nullable Object> row = files.rows().getFirst();

        assertThat(row).containsEntry("id", RUN.toString())
                .containsEntry("trace_id", ROOT.toString())
                .containsEntry("parent_run_id", ROOT.toString())
                .containsEntry("parent_run_ids", List.of(ROOT.toString()))
                .containsEntry("session_id", SESSION.toString())
                .containsEntry("session_name", "a session")
                .containsEntry("tenant_id", TENANT.toString())
                .containsEntry("start_time", START)
                .containsEntry("end_time", END)
                .containsEntry("first_token_time", null)
                .containsEntry("latency", 1.500001)
                .containsEntry("inputs", JSON)
                .containsEntry("tags", Arrays.asList("a \"tag\"", null, ""))
                .containsEntry("prompt_tokens", Long.MAX_VALUE)
                .containsEntry("completion_tokens", 0L)
                .containsEntry("prompt_cost", new BigDecimal("0.000000001"))
                .containsEntry("completion_cost", new BigDecimal("999999999.999999999"))
                .containsEntry("total_cost", new BigDecimal("-1.500000000"))
                .containsEntry("is_root", false)
                .containsEntry("feedback_stats", null);
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void version1WritesTextColumns(Compression compression) throws Exception {
        ParquetFiles files = write(FormatVersion.V1, compression, fullRow());

        Map<String, @Nullable Object> row = files.rows().getFirst();

        assertThat(row).containsEntry("id", RUN.toString())
                .containsEntry("parent_run_ids", "[\"" + ROOT + "\"]")
                .containsEntry("start_time", "2026-02-20T23:59:59.999999Z")
                .containsEntry("end_time", "2026-02-21T00:00:01.500000Z")
                .containsEntry("latency", "1.500001")
                .containsEntry("inputs", JSON)
                .containsEntry("tags", "[\"a \\\"tag\\\"\",null,\"\"]")
                .containsEntry("prompt_tokens", "9223372036854775807")
                .containsEntry("completion_tokens", "0")
                .containsEntry("prompt_cost", "0.000000001")
                .containsEntry("completion_cost", "999999999.999999999")
                .containsEntry("total_cost", "-1.5")
                .containsEntry("is_root", "false")
                .containsEntry("app_path", "/o/" + TENANT + "/projects/p/" + SESSION + "/r/" + RUN + "?trace_id=" + ROOT
                        + "&start_time=2026-02-20T23:59:59.999999Z");
    }

    @ParameterizedTest
    @EnumSource(FormatVersion.class)
    void missingValuesAreNullInTheSameSchema(FormatVersion version) throws Exception {
        ParquetFiles full = write(version, Compression.ZSTANDARD, fullRow());
        List<Map<String, @Nullable Object>> fullSchema = full
                .query("SELECT name, type, converted_type FROM parquet_schema(FILES)");

        ParquetFiles empty = write(version, Compression.ZSTANDARD, BinaryRows.of(Map.of(
                RunColumn.ID, RUN, RunColumn.TRACE_ID, RUN, RunColumn.START_TIME, START)));

        Map<String, @Nullable Object> row = empty.rows().getFirst();
        assertThat(row.keySet()).containsExactlyElementsOf(ExportField.defaults().stream().map(ExportField::wireName).toList());
        assertThat(row).containsEntry("end_time", null).containsEntry("latency", null).containsEntry("tags", null)
                .containsEntry("inputs", null).containsEntry("total_cost", null);
        assertThat(row.get("is_root")).hasToString("true");
        assertThat(empty.query("SELECT name, type, converted_type FROM parquet_schema(FILES)")).isEqualTo(fullSchema);
    }

    @Test
    void columnTypesAreReadableByEveryEngine() throws Exception {
        ParquetFiles files = write(FormatVersion.V2_BETA, Compression.NONE, fullRow());

        Map<String, String> types = files.query("SELECT name, type, logical_type FROM parquet_schema(FILES)").stream()
                .collect(Collectors.toMap(column -> (String) column.get("name"),
                        column -> column.get("type") + " " + column.get("logical_type"), (left, right) -> left));

        assertThat(types.get("start_time")).contains("INT64").contains("isAdjustedToUTC=1").contains("MICROS=Micro");
        assertThat(types.get("total_cost")).contains("INT64").contains("DecimalType").contains("scale=9")
                .contains("precision=18");
        assertThat(types.get("id")).isEqualTo("BYTE_ARRAY StringType()");
        assertThat(types.get("inputs")).isEqualTo("BYTE_ARRAY StringType()");
        assertThat(types.get("latency")).startsWith("DOUBLE");
        assertThat(types.get("is_root")).startsWith("BOOLEAN");
        assertThat(types.values())
                .noneMatch(type -> type.contains("UUID") || type.contains("JSON") || type.contains("NANOS=Nano"));
    }

    @Test
    void emptyListsAreNotNull() throws Exception {
        Map<RunColumn, Object> values = full();
        values.put(RunColumn.TAGS, List.of());
        ParquetFiles files = write(FormatVersion.V2_BETA, Compression.ZSTANDARD, BinaryRows.of(values));

        assertThat(files.rows().getFirst()).containsEntry("tags", List.of());
    }

    @Test
    void noRowsWriteNoFile() throws Exception {
        ParquetFiles files = write(FormatVersion.V1, Compression.ZSTANDARD);

        assertThat(files.path(0)).doesNotExist();
    }

    @Test
    void writtenFileDescribesTheFile() throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        Map<RunColumn, Object> later = full();
        later.put(RunColumn.START_TIME, START.plusSeconds(1));
        List<WrittenFile> written;
        try (var writer = writer(ExportField.defaults(), settings(Compression.ZSTANDARD), files)) {
            writer.row(fullRow());
            writer.row(BinaryRows.of(later));
            written = writer.finish(2);
        }

        byte[] bytes = Files.readAllBytes(files.path(0));
        WrittenFile file = written.getFirst();
        assertThat(written).containsExactly(new WrittenFile(0, 2, bytes.length, hash("SHA-256", bytes), START,
                START.plusSeconds(1), 0, file.longTextBytes(), file.otherBytes()));
        assertThat(files.query("""
                SELECT sum(total_compressed_size) FILTER (WHERE path_in_schema IN
                        ('inputs', 'outputs', 'error', 'events', 'extra', 'metadata', 'feedback_stats'))::BIGINT AS texts,
                    sum(total_compressed_size)::BIGINT AS total
                FROM parquet_metadata(FILES)"""))
                .containsExactly(Map.of("texts", file.longTextBytes(), "total", file.longTextBytes() + file.otherBytes()));
        assertThat(files.query("SELECT num_rows, created_by FROM parquet_file_metadata(FILES)")).containsExactly(Map.of(
                "num_rows", 2L, "created_by", "waybill version 1.2.3 (build parquet-java)"));
        assertThat(files.query("SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(FILES)"))
                .containsExactly(Map.of("key", "waybill.export_id", "value", "an export"));
    }

    @Test
    void onlyTimesHaveStatistics() throws Exception {
        ParquetFiles files = write(FormatVersion.V2_BETA, Compression.ZSTANDARD, fullRow());

        List<Map<String, @Nullable Object>> columns = files.query("""
                SELECT path_in_schema, stats_min_value IS NOT NULL AS has_min FROM parquet_metadata(FILES)
                WHERE path_in_schema IN ('start_time', 'inputs', 'id')""");

        assertThat(columns).containsExactlyInAnyOrder(
                Map.of("path_in_schema", "start_time", "has_min", true),
                Map.of("path_in_schema", "inputs", "has_min", false),
                Map.of("path_in_schema", "id", "has_min", false));
    }

    @Test
    void largeFilesAreSplitBetweenRowGroups() throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        var settings = new FileSettings(Compression.NONE, "1.2.3", 6 << 20, 2 << 20, Map.of());
        List<WrittenFile> written;
        try (var writer = writer(List.of(ExportField.ID, ExportField.INPUTS), settings, files)) {
            for (int i = 0; i < 2_000; i++) {
                writer.row(row(i, Integer.toString(i).repeat(2_000)));
            }
            written = writer.finish(2_000);
        }

        assertThat(written).hasSizeGreaterThan(2).allSatisfy(file -> assertThat(file.bytes()).isLessThan(8 << 20));
        assertThat(written.stream().mapToLong(WrittenFile::rows).sum()).isEqualTo(2_000);
        assertThat(IntStream.range(0, written.size())).allMatch(files::isClosed);
        assertThat(files.query("SELECT count(DISTINCT inputs) AS n, min(length(inputs)) AS shortest FROM FILES"))
                .containsExactly(Map.of("n", 2_000L, "shortest", 2_000L));
    }

    @Test
    void rowGroupsAreLimitedByBytes() throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        var settings = new FileSettings(Compression.NONE, "1.2.3", 512 << 20, 4 << 20, Map.of());
        try (var writer = writer(List.of(ExportField.INPUTS), settings, files)) {
            for (int i = 0; i < 20; i++) {
                writer.row(row(i, Integer.toString(10 + i).repeat(700_000)));
            }
            writer.finish(20);
        }

        assertThat(files.query("""
                SELECT max(row_group_num_rows) <= 6 AS small, sum(row_group_num_rows) AS n
                FROM parquet_metadata(FILES)""").getFirst()).containsEntry("small", true)
                .extractingByKey("n").hasToString("20");
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void hugeValuesAreWrittenAmongSmallOnes(Compression compression) throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        String[] values = { "{}", "é".repeat(1_400_000), "", "x".repeat(40_000_000), "{}" };
        try (var writer = writer(List.of(ExportField.INPUTS), settings(compression), files)) {
            for (int i = 0; i < values.length; i++) {
                writer.row(row(i, values[i]));
            }
            writer.finish(values.length);
        }

        assertThat(files.query("SELECT md5(inputs) AS hash FROM FILES").stream().map(row -> row.get("hash")))
                .containsExactlyElementsOf(Arrays.stream(values).map(ParquetRunWriterTest::md5).toList());
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void repeatedTextIsStoredOnce(Compression compression) throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        try (var writer = writer(List.of(ExportField.INPUTS, ExportField.OUTPUTS), settings(compression), files)) {
            for (int i = 0; i < 120_000; i++) {
                Map<RunColumn, Object> values = new LinkedHashMap<>();
                values.put(RunColumn.START_TIME, START);
                if (i % 3 != 0) {
                    values.put(RunColumn.INPUTS, "prompt " + i % 1000 + " ".repeat(100));
                }
                values.put(RunColumn.OUTPUTS, "answer " + i);
                writer.row(BinaryRows.of(values));
            }
            writer.finish(120_000);
        }

        assertThat(files
                .query("SELECT DISTINCT path_in_schema, dictionary_page_offset IS NOT NULL AS d FROM parquet_metadata(FILES)"))
                .extracting(row -> row.get("path_in_schema") + " " + row.get("d"))
                .contains("inputs true");
        assertThat(files.query("""
                WITH rows AS (SELECT *, row_number() OVER () - 1 AS i FROM FILES)
                SELECT count(*) AS n FROM rows
                WHERE outputs = 'answer ' || i
                  AND inputs IS NOT DISTINCT FROM CASE WHEN i % 3 <> 0 THEN 'prompt ' || i % 1000 || repeat(' ', 100) END"""))
                .containsExactly(Map.of("n", 120_000L));
    }

    @Test
    void differentRowCountsFail() throws Exception {
        try (var writer = writer(ExportField.defaults(), settings(Compression.NONE), new ParquetFiles(folder))) {
            writer.row(fullRow());

            assertThatThrownBy(() -> writer.finish(2)).isInstanceOf(RowCountMismatchException.class)
                    .hasMessage("2 rows were read, 1 were encoded, and the files' footers count 1");
        }
    }

    @Test
    void incompleteFileIsNotClosed() throws Exception {
        ParquetFiles files = new ParquetFiles(folder);
        Map<RunColumn, Object> values = full();
        values.put(RunColumn.START_TIME, Instant.parse("+10000-01-01T00:00:00Z"));
        try (var writer = new ParquetRunWriter(ExportSchema.of(ExportField.defaults(), FormatVersion.V1), session(),
                settings(Compression.NONE), files)) {
            writer.row(fullRow());

            assertThatThrownBy(() -> writer.row(BinaryRows.of(values))).isInstanceOf(IOException.class)
                    .hasMessageContaining("outside the years 1 to 9999");
        }

        assertThat(files.path(0)).exists();
        assertThat(files.isClosed(0)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void filesAreEqualWithoutForeignFunctions(Compression compression) throws Exception {
        // Given
        RunRow[] rows = IntStream.range(0, 500).mapToObj(_ -> fullRow()).toArray(RunRow[]::new);

        // When
        ParquetFiles usual = write(new NativeMemory(), FormatVersion.V2_BETA, compression, rows);
        ParquetFiles without = write(new NativeMemory(NativeHeap.open(_ -> Optional.empty())), FormatVersion.V2_BETA,
                compression, rows);

        // Then
        assertThat(without.path(0)).hasSameBinaryContentAs(usual.path(0));
        assertThat(without.rows()).hasSize(rows.length);
    }

    private ParquetFiles write(FormatVersion version, Compression compression, RunRow... rows) throws IOException {
        return write(new NativeMemory(), version, compression, rows);
    }

    private ParquetFiles write(NativeMemory memory, FormatVersion version, Compression compression, RunRow... rows)
            throws IOException {
        Path target = Files.createTempDirectory(folder, "files");
        ParquetFiles files = new ParquetFiles(target);
        try (var writer = new ParquetRunWriter(ExportSchema.of(ExportField.defaults(), version), session(),
                settings(compression), files, 0, memory)) {
            for (RunRow row : rows) {
                writer.row(row);
            }
            writer.finish(rows.length);
        }
        return files;
    }

    private static ParquetRunWriter writer(List<ExportField> fields, FileSettings settings, FileSink sink) {
        return new ParquetRunWriter(ExportSchema.of(fields, FormatVersion.V2_BETA), session(), settings, sink);
    }

    private static ExportedSession session() {
        return new ExportedSession(TENANT, SESSION, "a session");
    }

    private static FileSettings settings(Compression compression) {
        return FileSettings.of(compression, "1.2.3", Map.of("waybill.export_id", "an export"));
    }

    private static RunRow row(int number, String inputs) {
        return BinaryRows.of(Map.of(RunColumn.ID, new UUID(0, number), RunColumn.START_TIME, START, RunColumn.INPUTS, inputs));
    }

    private static RunRow fullRow() {
        return BinaryRows.of(full());
    }

    private static Map<RunColumn, Object> full() {
        Map<RunColumn, Object> values = new LinkedHashMap<>();
        values.put(RunColumn.ID, RUN);
        values.put(RunColumn.TRACE_ID, ROOT);
        values.put(RunColumn.PARENT_RUN_ID, ROOT);
        values.put(RunColumn.PARENT_RUN_IDS, List.of(ROOT));
        values.put(RunColumn.NAME, "agent");
        values.put(RunColumn.START_TIME, START);
        values.put(RunColumn.END_TIME, END);
        values.put(RunColumn.INPUTS, JSON);
        values.put(RunColumn.TAGS, Arrays.asList("a \"tag\"", null, ""));
        values.put(RunColumn.PROMPT_TOKENS, Long.MAX_VALUE);
        values.put(RunColumn.COMPLETION_TOKENS, 0L);
        values.put(RunColumn.PROMPT_COST, new BigDecimal("0.000000001"));
        values.put(RunColumn.COMPLETION_COST, new BigDecimal("999999999.999999999"));
        values.put(RunColumn.TOTAL_COST, new BigDecimal("-1.5"));
        return values;
    }

    private static String md5(String text) {
        return hash("MD5", text.getBytes(UTF_8));
    }

    private static String hash(String algorithm, byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
