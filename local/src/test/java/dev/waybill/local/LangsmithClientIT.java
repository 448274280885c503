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

import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.quickstart.EnvironmentFile;
import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;

class LangsmithClientIT {

    private final RunningStack running = RunningStack.get();

    @TempDir
    private Path downloads;

    @Test
    void exportsTraceOfNpmClient() throws IOException, InterruptedException {
        // Given
        String project = "langsmith-" + UUID.randomUUID();
        Instant before = Instant.now().minus(Duration.ofMinutes(1));

        // When
        JsonNode traced = NodeProgram.run(Map.of(
                "LANGSMITH_ENDPOINT", running.address(ServiceKind.EXPERIMENT) + "/api/v1",
                "LANGSMITH_API_KEY", running.stack.secrets().apiKey(),
                "LANGSMITH_TRACING", "true"), "trace.mjs", project);

        // Then
        UUID session = running.session(project).id();
        assertThat(traced.get("projectId").textValue()).isEqualTo(session.toString());
        Map<String, List<Object>> rows = export(session, before);
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

    @Test
    void tracesWithVariablesOfEnvironmentFile() throws IOException, InterruptedException {
        // Given
        HomeDirectory home = new HomeDirectory(downloads.resolve("home"));
        EnvironmentFile.write(home, running.stack, "any", null);

        // When
        String project = "sourced-" + UUID.randomUUID();
        JsonNode traced = NodeProgram.runAfterSourcing(home.environment(), "sourced.mjs", project);

        // Then
        JsonNode run = running.client.json().get(
                running.address(ServiceKind.EXPERIMENT).resolve("/api/v1/runs/" + traced.get("id").textValue()));
        assertThat(run.get("name").textValue()).isEqualTo("greet");
        assertThat(run.get("session_id").textValue()).isEqualTo(running.session(project).id().toString());
    }

    @Test
    void npmClientManagesProjectsRunsAndFeedback() throws IOException, InterruptedException {
        // Given
        Workspace workspace = Workspace.create("manage");

        // When
        JsonNode results = run(workspace, "manage.mjs", workspace.name());

        // Then
        assertProjects(results, workspace.name());
        assertRuns(results);
        assertFeedback(results);
        assertThat(stored(workspace, "SELECT name FROM trace.sessions")).containsExactly(workspace.name() + "-project");
        assertThat(stored(workspace, "SELECT name || coalesce(' ' || total_tokens, '') FROM trace.runs ORDER BY 1"))
                .containsExactly("early", "single");
        assertThat(stored(workspace, "SELECT concat_ws(' ', key, score, value, comment) FROM trace.feedback ORDER BY 1"))
                .containsExactly("correct 0", "correct 0.5 {\"why\":\"2\"} half", "overall \"fine\"");
        assertThat(stored(workspace, "SELECT name FROM trace.datasets")).isEmpty();
    }

    @Test
    void npmClientListsRunsWithFilters() throws IOException, InterruptedException {
        // Given
        Workspace workspace = Workspace.create("list");

        // When
        JsonNode runs = run(workspace, "list.mjs", "project");

        // Then
        assertThat(runs.get("roots")).hasToString("[\"agent -\",\"single -\"]");
        assertThat(runs.get("filtered")).hasToString("[\"model 10\"]");
        assertThat(runs.get("byTree")).hasToString("[\"model -\",\"model 10\",\"model 5\"]");
        assertThat(runs.get("failed")).hasToString("[\"model -\"]");
        assertThat(runs.get("trace")).hasToString("[\"agent -\"]");
        assertThat(runs.get("limited").intValue()).isEqualTo(2);
        assertThat(runs.get("chosen")).singleElement().satisfies(chosen -> {
            assertThat(chosen.get("name").textValue()).isEqualTo("single");
            assertThat(chosen.get("outputs")).hasToString("{\"n\":2}");
            assertThat(chosen.has("inputs")).isFalse();
        });
        assertThat(runs.get("tree")).hasToString("[\"model\",\"model\",\"model\"]");
        assertThat(stored(workspace, "SELECT name || coalesce(' ' || total_tokens, '') FROM trace.runs ORDER BY 1"))
                .containsExactly("agent", "model", "model 10", "model 5", "single");
    }

    private static void assertProjects(JsonNode results, String prefix) {
        String id = results.get("projectId").textValue();
        assertThat(results.at("/again/name").textValue()).isEqualTo("LangSmithConflictError");
        assertThat(List.of(results.get("upserted"), results.get("byName"), results.at("/byId/id"), results.at("/updated/id")))
                .extracting(JsonNode::textValue).containsOnly(id);
        assertThat(results.at("/byId/description").textValue()).isEqualTo("first");
        assertThat(results.at("/byId/extra/metadata/team").textValue()).isEqualTo("b");
        assertThat(results.get("has")).hasToString("[true,false]");
        assertThat(results.get("listed")).hasToString("[\"" + prefix + "-other\",\"" + prefix + "-project\"]");
        assertThat(results.get("hasOther").booleanValue()).isFalse();
        assertThat(results.get("experiment")).hasToString("{\"number\":1,\"dataset\":true}");
        assertThat(results.get("ofDataset")).hasToString("[\"" + prefix + "-experiment\"]");
        assertThat(results.get("afterDataset")).hasToString("[false,false]");
    }

    private static void assertRuns(JsonNode results) {
        assertThat(results.at("/unfinished/status").textValue()).isEqualTo("pending");
        assertThat(results.at("/unfinished/session_id")).isEqualTo(results.get("projectId"));
        assertThat(results.at("/finished/outputs")).hasToString("{\"n\":2}");
        assertThat(results.at("/finished/status").textValue()).isEqualTo("success");
    }

    private static void assertFeedback(JsonNode results) {
        JsonNode feedback = results.get("feedback");
        assertThat(feedback.at("/read/score").doubleValue()).isEqualTo(0.5);
        assertThat(feedback.at("/read/comment").textValue()).isEqualTo("half");
        assertThat(feedback.at("/read/value/why").textValue()).isEqualTo("2");
        assertThat(feedback.at("/read/feedback_config/max").intValue()).isEqualTo(1);
        assertThat(feedback.at("/read/feedback_source/metadata/by").textValue()).isEqualTo("a person");
        assertThat(feedback.at("/read/session_id")).isEqualTo(results.get("projectId"));
        assertThat(feedback.get("listed")).isEqualTo(feedback.get("given")).hasSize(2);
        assertThat(feedback.at("/ofProject/run_id").isNull()).isTrue();
        assertThat(feedback.at("/ofProject/session_id")).isEqualTo(results.get("projectId"));
        assertThat(results.at("/goneFeedback/name").isTextual()).isTrue();
        JsonNode statistics = results.get("statistics");
        assertThat(statistics.get("run_count").intValue()).isEqualTo(2);
        assertThat(statistics.get("latency_p50").isNumber()).isTrue();
        assertThat(statistics.at("/feedback_stats/correct/n").intValue()).isEqualTo(2);
        assertThat(statistics.at("/feedback_stats/correct/avg").doubleValue()).isEqualTo(0.25);
        assertThat(statistics.at("/session_feedback_stats/overall/values/fine").intValue()).isEqualTo(1);
    }

    private static JsonNode run(Workspace workspace, String program, String argument)
            throws IOException, InterruptedException {
        return NodeProgram.run(Map.of(
                "LANGSMITH_ENDPOINT", workspace.running().address(ServiceKind.EXPERIMENT) + "/api/v1",
                "LANGSMITH_API_KEY", workspace.apiKey()), program, argument);
    }

    private static List<String> stored(Workspace workspace, String select) {
        return TableText.query("SELECT * FROM (" + select.replaceFirst("(?= ORDER BY|$)",
                " WHERE tenant_id = '" + workspace.tenantId() + "'") + ") found");
    }

    private Map<String, List<Object>> export(UUID sessionId, Instant before) {
        UUID id = running.exporter().start(new CreateBulkExportRequest(running.destination("langsmith"), sessionId, before,
                Instant.now().plus(Duration.ofMinutes(1)), null, null, null, null, "v2_beta", "zstandard"));
        running.exporter().awaitEnd(id, Progress.NONE);
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
