package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.api.export.BulkExportRunStatus;
import dev.waybill.common.api.export.RunResult;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.local.client.Json;
import dev.waybill.local.tour.ExportedFiles;

/** Compares exported files with the sent runs, value by value, with third-party readers (contract.md "Bulk export"). */
class DataFidelityIT {

    private static final Map<String, String> V2_TYPES = types();

    private static Workspace samples;
    private static Workspace larger;

    @TempDir
    private Path folder;

    @AfterAll
    static void deleteRuns() {
        Stream.of(samples, larger).filter(Objects::nonNull).forEach(Workspace::deleteRuns);
    }

    static Stream<Arguments> samples() {
        List<TraceFile> files = TraceFile.samples();
        samples = workspaceWith(samples, "samples", files);
        return Stream.of(
                Arguments.of(files.get(0), "v1", "none"),
                Arguments.of(files.get(0), "v2_beta", "snappy"),
                Arguments.of(files.get(1), "v1", "gzip"),
                Arguments.of(files.get(1), "v2_beta", "zstandard"),
                Arguments.of(files.get(2), "v1", "snappy"),
                Arguments.of(files.get(2), "v1", "zstandard"),
                Arguments.of(files.get(2), "v2_beta", "none"),
                Arguments.of(files.get(2), "v2_beta", "gzip"));
    }

    static Stream<Arguments> larger() {
        List<TraceFile> files = TraceFile.larger();
        larger = workspaceWith(larger, "larger", files);
        return files.stream().flatMap(file -> Stream.of(
                Arguments.of(file, "v1", "gzip"),
                Arguments.of(file, "v2_beta", "zstandard")));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void exportedSamplesEqualSentRuns(TraceFile traces, String formatVersion, String compression) {
        assertExportEqual(samples, traces, formatVersion, compression);
    }

    @Tag("full")
    @Tag("long")
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("larger")
    void exportedTracesEqualSentRuns(TraceFile traces, String formatVersion, String compression) {
        assertExportEqual(larger, traces, formatVersion, compression);
    }

    private static Workspace workspaceWith(Workspace workspace, String name, List<TraceFile> files) {
        if (workspace != null) {
            return workspace;
        }
        Workspace created = Workspace.create(name);
        files.forEach(file -> created.load(file.runs()));
        return created;
    }

    private void assertExportEqual(Workspace workspace, TraceFile traces, String formatVersion, String compression) {
        // When
        SessionResponse session = workspace.session(traces.name());
        Instant start = traces.firstStart().truncatedTo(ChronoUnit.DAYS);
        UUID id = workspace.order(session.id(), start, traces.lastStart().plus(1, ChronoUnit.MICROS),
                formatVersion, compression);
        BulkExportResponse export = workspace.awaitCompleted(id);

        // Then
        ExportedFiles files = workspace.download(id, folder);
        assertCountsMatch(workspace, export, files, traces.lines().size());
        for (FileReader reader : FileReader.values()) {
            assertRowsEqual(reader, files, traces, session, formatVersion);
        }
    }

    private static void assertCountsMatch(Workspace workspace, BulkExportResponse export, ExportedFiles files, int rows) {
        List<String> listed = new ArrayList<>();
        List<String> exported = new ArrayList<>();
        long rowsOfRuns = 0;
        for (BulkExportRunResponse run : workspace.exporter().runs(export.id())) {
            RunResult result = run.metadata().result();
            assertThat(run.status()).isEqualTo(BulkExportRunStatus.COMPLETED);
            assertThat(result.exportedFiles().isEmpty()).isEqualTo(result.rowsWritten() == 0);
            exported.addAll(result.exportedFiles());
            rowsOfRuns += result.rowsWritten();
        }
        files.manifest().get("files").forEach(file -> listed.add(file.get("path").textValue()));
        assertThat(exported).containsExactlyInAnyOrderElementsOf(listed);
        assertThat(rowsOfRuns).isEqualTo(rows);
        assertThat(files.rows()).isEqualTo(rows);
        assertThat(export.progress().rowsExported()).isEqualTo(rows);
        assertThat(export.progress().bytesExported()).isEqualTo(files.bytes());
    }

    private void assertRowsEqual(FileReader reader, ExportedFiles files, TraceFile traces, SessionResponse session,
            String formatVersion) {
        Map<String, String> sent = new HashMap<>();
        Map<String, Long> rowsByFile = new TreeMap<>();
        traces.lines().forEach(line -> sent.put(Json.parse(line).get("id").textValue(), line));
        Map<String, String> columns = reader.read(files.files(), folder, row -> {
            String line = sent.remove(row.get("id"));
            assertThat(line).as("run %s, exactly once", row.get("id")).isNotNull();
            ExpectedRow expected = new ExpectedRow(traces.run(line), session);
            expected.assertEqualTo(row);
            assertThat(row.get("filename")).contains(expected.day());
            rowsByFile.merge(folder.relativize(Path.of(row.get("filename"))).toString(), 1L, Long::sum);
        });
        assertThat(sent).as("runs that %s does not read", reader).isEmpty();
        files.manifest().get("files").forEach(file -> assertThat(rowsByFile)
                .containsEntry(file.get("path").textValue(), file.get("rows").asLong()));
        assertTypes(reader, columns, files.manifest(), formatVersion);
    }

    private static void assertTypes(FileReader reader, Map<String, String> columns, JsonNode manifest, String formatVersion) {
        Map<String, String> expected = new LinkedHashMap<>();
        V2_TYPES.forEach((column, type) -> expected.put(column, formatVersion.equals("v1") ? "STRING" : type));
        Map<String, String> listed = new LinkedHashMap<>();
        manifest.get("schema").forEach(column -> listed.put(column.get("name").textValue(), column.get("type").textValue()));
        assertThat(List.copyOf(listed.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
        expected.replaceAll((column, type) -> reader.typeOf(type));
        assertThat(List.copyOf(columns.entrySet())).as("columns read by %s", reader)
                .isEqualTo(List.copyOf(expected.entrySet()));
    }

    private static Map<String, String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        for (String column : List.of("id", "trace_id", "parent_run_id", "parent_run_ids", "dotted_order", "session_id",
                "session_name", "name", "run_type", "status", "start_time", "end_time", "first_token_time", "latency", "inputs",
                "outputs", "error", "events", "extra", "metadata", "tags", "reference_example_id", "prompt_tokens",
                "completion_tokens", "total_tokens", "prompt_cost", "completion_cost", "total_cost", "feedback_stats",
                "manifest_id", "app_path", "trace_tier", "tenant_id", "is_root")) {
            types.put(column, switch (column) {
                case "parent_run_ids", "tags" -> "LIST<STRING>";
                case "start_time", "end_time", "first_token_time" -> "TIMESTAMP(MICROS,UTC)";
                case "latency" -> "DOUBLE";
                case "prompt_tokens", "completion_tokens", "total_tokens" -> "INT64";
                case "prompt_cost", "completion_cost", "total_cost" -> "DECIMAL(18,9)";
                case "is_root" -> "BOOLEAN";
                default -> "STRING";
            });
        }
        return types;
    }
}
