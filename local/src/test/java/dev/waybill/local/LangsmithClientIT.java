package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.ExportRequest;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;

class LangsmithClientIT {

    private final RunningStack running = RunningStack.get();

    @TempDir
    private Path downloads;

    @Test
    void aTreeTracedByTheRealClientIsExportedWhole() throws IOException, InterruptedException {
        // Given
        String project = "langsmith-" + UUID.randomUUID();
        Instant before = Instant.now().minus(Duration.ofMinutes(1));

        // When
        JsonNode traced = NodeProgram.run(Map.of(
                "LANGSMITH_ENDPOINT", running.address(ServiceKind.EXPERIMENT) + "/api/v1",
                "LANGSMITH_API_KEY", running.stack.secrets().apiKey(),
                "LANGSMITH_TRACING", "true"), "trace.mjs", project);

        // Then
        JsonNode session = running.session(project);
        assertThat(traced.get("projectId")).isEqualTo(session.get("id"));
        Map<String, List<Object>> rows = export(session.get("id").textValue(), before);
        JsonNode ids = traced.get("ids");
        assertThat(rows.keySet()).containsExactlyInAnyOrder("agent", "search", "model", "broken");
        rows.forEach((name, row) -> assertThat(row.get(1)).as(name).isEqualTo(ids.get(name).textValue()));
        String agent = ids.get("agent").textValue();
        assertThat(rows.get("agent").get(2)).isNull();
        assertThat(List.of("search", "model", "broken")).allSatisfy(name -> assertThat(rows.get(name).get(2)).isEqualTo(agent));
        assertThat(rows.get("model").get(3)).isEqualTo(18L);
        assertThat(rows.get("broken").get(4)).asString().contains("the tool is out of order");
        assertThat(rows.get("broken").get(5)).isEqualTo("error");
        assertThat(Json.parse(String.valueOf(rows.get("agent").get(6))).at("/metadata/customer").textValue()).isEqualTo("Zoë");
    }

    private Map<String, List<Object>> export(String sessionId, Instant before) {
        String id = running.exporter().start(new ExportRequest(running.destination("langsmith"), sessionId, before,
                Instant.now().plus(Duration.ofMinutes(1)), "v2_beta", "zstandard"));
        running.exporter().awaitEnd(id, Progress.UNSEEN);
        Map<String, List<Object>> rows = new TreeMap<>();
        try (Bucket bucket = running.bucket(); ParquetReader reader = new ParquetReader()) {
            ExportedFiles files = ExportedFiles.download(bucket, "langsmith", id, downloads);
            for (List<Object> row : reader.query(files.files(), """
                    SELECT name, id::VARCHAR, parent_run_id::VARCHAR, total_tokens, error, status, extra FROM runs""")) {
                rows.put(String.valueOf(row.getFirst()), row);
            }
        }
        return rows;
    }
}
