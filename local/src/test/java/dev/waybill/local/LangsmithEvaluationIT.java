package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;

/** Runs the npm client's {@code evaluate()} twice on one dataset and compares both experiments. */
class LangsmithEvaluationIT {

    private final Workspace workspace = Workspace.create("evaluate");

    @Test
    void evaluationsCanBeReadAndCompared() throws IOException, InterruptedException {
        // When
        JsonNode results = NodeProgram.run(Map.of(
                "LANGSMITH_ENDPOINT", workspace.running().address(ServiceKind.EXPERIMENT) + "/api/v1",
                "LANGSMITH_API_KEY", workspace.apiKey()), "evaluate.mjs", workspace.name());

        // Then
        assertDataset(results);
        assertExperiment(results, "first", 1, Map.of("correct", 1.0, "distance", 0.0, "share", 1.0, "error_rate", 0.0));
        assertExperiment(results, "second", 2, Map.of("correct", 0.5, "distance", 4.25, "share", 0.5, "error_rate", 0.25));
        assertStored(results);
        assertCompared(results);
    }

    private void assertDataset(JsonNode results) {
        assertThat(results.at("/dataset/description").textValue()).isEqualTo("squares of numbers");
        assertThat(results.at("/dataset/tenant_id").textValue()).isEqualTo(workspace.tenantId());
        assertThat(results.get("hasDataset")).hasToString("[true,false]");
        assertThat(results.get("made").valueStream().map(example -> example.at("/inputs/q").intValue())).containsExactly(1, 2,
                3);
        assertThat(results.get("testExamples")).hasToString("[3]");
        List<JsonNode> examples = results.get("examples").valueStream()
                .sorted(Comparator.comparing(example -> example.at("/inputs/q").intValue())).toList();
        assertThat(examples).extracting(example -> example.get("inputs") + " " + example.get("outputs") + " "
                + example.get("metadata"))
                .containsExactly("{\"q\":1} {\"a\":1} {\"odd\":true}", "{\"q\":2} {\"a\":4} {\"odd\":false}",
                        "{\"q\":3} {\"a\":9} {\"dataset_split\":[\"test\"],\"odd\":true}", "{\"q\":4} {\"a\":16} null");
        assertThat(stored("SELECT count(*) FROM trace.examples")).isEqualTo("4");
    }

    private void assertExperiment(JsonNode results, String name, int number, Map<String, Double> means) {
        JsonNode experiment = results.get(name);
        JsonNode project = experiment.get("project");
        assertThat(project.get("name").textValue()).startsWith(name + "-");
        assertThat(project.get("reference_dataset_id")).isEqualTo(results.at("/dataset/id"));
        assertThat(project.get("test_run_number").intValue()).isEqualTo(number);
        assertThat(project.get("run_count").intValue()).isEqualTo(4);
        assertThat(project.get("latency_p50").isNumber()).isTrue();
        assertThat(project.get("error_rate").doubleValue()).isEqualTo(means.get("error_rate"));
        assertThat(project.at("/extra/metadata/model").textValue()).isEqualTo(name);
        assertThat(project.at("/extra/metadata/dataset_version").textValue()).isEqualTo(newest(results.get("examples")));
        for (String key : List.of("correct", "distance")) {
            assertThat(project.at("/feedback_stats/" + key + "/n").intValue()).as(key).isEqualTo(4);
            assertThat(project.at("/feedback_stats/" + key + "/avg").doubleValue()).as(key).isEqualTo(means.get(key));
        }
        assertThat(project.at("/session_feedback_stats/share/avg").doubleValue()).isEqualTo(means.get("share"));
        assertThat(experiment.get("rows")).hasSize(4);
        assertThat(experiment.get("runs").valueStream().map(run -> run.get("id") + " " + run.get("reference_example_id")))
                .containsExactlyInAnyOrderElementsOf(experiment.get("rows").valueStream()
                        .map(row -> row.get("run") + " " + row.get("example")).toList());
        assertThat(experiment.get("feedback").valueStream().map(feedback -> feedback.at("/feedback_source/type").textValue()))
                .hasSize(8)
                .containsOnly("model");
    }

    private static String newest(JsonNode examples) {
        return examples.valueStream().map(example -> example.get("modified_at").textValue())
                .max(Comparator.comparing(Instant::parse)).orElseThrow();
    }

    private void assertStored(JsonNode results) {
        for (String name : List.of("first", "second")) {
            String session = results.at("/" + name + "/project/id").textValue();
            assertThat(stored("SELECT count(DISTINCT reference_example_id) FROM trace.runs", "session_id = '" + session + "'"))
                    .isEqualTo("4");
            assertThat(stored("SELECT count(*) FROM trace.feedback", "session_id = '" + session + "'")).isEqualTo("9");
        }
        assertThat(stored("SELECT count(*) FROM trace.runs WHERE parent_run_id IS NULL", "session_id = (SELECT id FROM"
                + " trace.sessions s WHERE s.tenant_id = '" + workspace.tenantId() + "' AND s.name = 'evaluators')"))
                .isEqualTo("16");
        JsonNode dataset = get("datasets/" + results.at("/dataset/id").textValue());
        assertThat(dataset.get("session_count").intValue()).isEqualTo(2);
        assertThat(dataset.get("example_count").intValue()).isEqualTo(4);
    }

    private JsonNode get(String path) {
        return workspace.client().json().get(workspace.running().address(ServiceKind.EXPERIMENT).resolve("/api/v1/" + path));
    }

    private String stored(String select, String... conditions) {
        String where = select.contains("WHERE") ? " AND " : " WHERE ";
        return TableText.value(select + where + "tenant_id = '" + workspace.tenantId() + "'"
                + (conditions.length == 0 ? "" : " AND " + conditions[0]));
    }

    private void assertCompared(JsonNode results) {
        ObjectNode request = Json.object();
        request.putArray("experiment_ids").add(results.at("/first/project/id")).add(results.at("/second/project/id"));
        JsonNode compared = workspace.client().json().post(workspace.running().address(ServiceKind.EXPERIMENT)
                .resolve("/api/v1/datasets/" + results.at("/dataset/id").textValue() + "/comparison"), request);
        assertThat(compared.get("total").intValue()).isEqualTo(4);
        JsonNode second = compared.at("/experiments/1");
        assertThat(second.get("name")).isEqualTo(results.at("/second/project/name"));
        assertThat(second.get("error_rate").doubleValue()).isEqualTo(0.25);
        JsonNode correct = second.at("/feedback/correct");
        assertThat(List.of(correct.get("better"), correct.get("same"), correct.get("worse"), correct.get("missing")))
                .extracting(JsonNode::intValue).containsExactly(0, 2, 2, 0);
        assertThat(correct.get("delta").doubleValue()).isEqualTo(-0.5);
        assertThat(compared.get("rows").valueStream().map(row -> row.at("/inputs/q") + ": " + row.at("/runs/0/outputs/a") + " "
                + row.at("/runs/0/feedback/correct") + ", " + row.at("/runs/1/outputs/a") + " "
                + row.at("/runs/1/feedback/correct")))
                .containsExactlyInAnyOrder("1: 1 1.0, 1 1.0", "2: 4 1.0, 4 1.0", "3: 9 1.0, 10 0.0", "4: 16 1.0,  0.0");
    }
}
