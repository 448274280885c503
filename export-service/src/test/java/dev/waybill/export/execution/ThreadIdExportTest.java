package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;

/** The column {@code thread_id}, verified with a third-party reader. */
@ExportServiceTest
class ThreadIdExportTest {

    private static final Map<String, String> THREADS = Map.of(
            "{\"thread_id\": \"t-1\"}", "t-1",
            "{\"thread_id\": \"t-1\", \"session_id\": \"s-1\"}", "s-1",
            "{\"conversation_id\": 7, \"other\": {\"thread_id\": \"x\"}}", "7",
            "{\"thread_id\": \"\", \"conversation_id\": \"caf\u00e9 \\\"1\\\"\"}", "caf\u00e9 \"1\"",
            "{\"thread_id\": [\"t-1\"]}", "none",
            "{\"other\": {\"thread_id\": \"t-1\"}}", "none",
            "{}", "none");

    private Bucket bucket;

    @BeforeEach
    void open() {
        bucket = new Bucket();
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @ParameterizedTest
    @ValueSource(strings = { "v1", "v2_beta" })
    void threadOfEachRunIsExported(String version) {
        // Given
        Exports exports = Exports.create();
        Map<String, String> expected = new LinkedHashMap<>();
        THREADS.forEach((metadata, thread) -> expected.put(run(exports, metadata).toString(), thread));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)),
                ", \"export_fields\": [\"id\", \"thread_id\"], \"format_version\": \"" + version + "\"");

        // Then
        Map<String, String> found = Duck
                .query(bucket.download(exports.folder(id)), "SELECT id, coalesce(thread_id, 'none') AS thread_id FROM files")
                .stream()
                .collect(Collectors.toMap(row -> (String) row.get("id"), row -> (String) row.get("thread_id")));
        assertThat(found).isEqualTo(expected);
        JsonPath manifest = JsonPath.from(new String(bucket.get(exports.folder(id) + "_manifest.json")));
        assertThat(manifest.getList("schema")).containsExactly(Map.of("name", "id", "type", "STRING"),
                Map.of("name", "thread_id", "type", "STRING"));
        JsonPath snippets = exports.client().get("/api/v1/bulk-exports/" + id + "/snippets").jsonPath();
        assertThat(snippets.getString("snippets.find { it.tool == 'clickhouse' }.text"))
                .contains("`thread_id` Nullable(String)");
    }

    @Test
    void runsOfOneThreadAreExported() {
        // Given
        Exports exports = Exports.create();
        UUID wanted = run(exports, "{\"thread_id\": \"t-1\"}");
        run(exports, "{\"thread_id\": \"t-2\"}");

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)),
                ", \"export_fields\": [\"id\", \"thread_id\"], \"filter\": \"eq(thread_id, 't-1')\"");

        // Then
        assertThat(Duck.query(bucket.download(exports.folder(id)), "SELECT id, thread_id FROM files"))
                .isEqualTo(List.of(Map.of("id", wanted.toString(), "thread_id", "t-1")));
    }

    private static UUID run(Exports exports, String metadata) {
        UUID id = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        Traces.execute("UPDATE trace.runs SET metadata = ? WHERE tenant_id = ? AND id = ?", metadata, exports.tenantId(), id);
        return id;
    }
}
