package dev.waybill.experiment.upload;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.id.NameIds;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Compression;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class UploadTest {

    private final Account account = Accounts.account().create();

    @Test
    void returnsDatasetAndExperimentWithoutStatistics() {
        // Given
        TestUpload upload = TestUpload.ofRows(3)
                .with("experiment_metadata", Map.of("model", "m", "n", 1))
                .with("experiment_description", "first");

        // When
        Response response = upload(upload);

        // Then
        response.then().statusCode(200)
                .body("dataset.name", equalTo(upload.get("dataset_name")))
                .body("dataset.externally_managed", equalTo(true))
                .body("dataset.data_type", equalTo("kv"))
                .body("dataset.example_count", equalTo(3))
                .body("dataset.session_count", equalTo(1))
                .body("dataset.tenant_id", equalTo(account.workspaceId().toString()))
                .body("dataset.last_session_start_time", equalTo("2026-11-20T08:00:00.000000Z"))
                .body("experiment.name", equalTo(upload.get("experiment_name")))
                .body("experiment.description", equalTo("first"))
                .body("experiment.start_time", equalTo("2026-11-20T08:00:00.000000Z"))
                .body("experiment.end_time", equalTo("2026-11-20T09:00:00.000000Z"))
                .body("experiment.extra.metadata", equalTo(Map.of("model", "m", "n", 1)))
                .body("experiment.reference_dataset_id", equalTo(response.path("dataset.id")))
                .body("experiment.trace_tier", equalTo("longlived"))
                .body("experiment.test_run_number", equalTo(1));
        for (String member : List.of("description", "inputs_schema_definition", "outputs_schema_definition")) {
            response.then().body("dataset", hasKey(member)).body("dataset." + member, nullValue());
        }
        for (String statistic : List.of("run_count", "latency_p50", "latency_p99", "first_token_p50", "first_token_p99",
                "total_tokens", "prompt_tokens", "completion_tokens", "total_cost", "prompt_cost", "completion_cost",
                "last_run_start_time", "last_run_start_time_live", "feedback_stats", "session_feedback_stats", "run_facets",
                "error_rate", "streaming_rate")) {
            response.then().body("experiment", hasKey(statistic)).body("experiment." + statistic, nullValue());
        }
    }

    @Test
    void responseHasExactlyTheSpecifiedMembers() {
        // When
        Response response = upload(TestUpload.ofRows(1));

        // Then
        assertThat(response.<Map<String, Object>> path("$").keySet()).containsExactlyInAnyOrder("dataset", "experiment");
        assertThat(response.<Map<String, Object>> path("dataset").keySet()).containsExactlyInAnyOrder("name", "description",
                "created_at", "data_type", "inputs_schema_definition", "outputs_schema_definition", "externally_managed", "id",
                "tenant_id", "example_count", "session_count", "modified_at", "last_session_start_time");
        assertThat(response.<Map<String, Object>> path("experiment").keySet()).containsExactlyInAnyOrder("start_time",
                "end_time",
                "extra", "name", "description", "default_dataset_id", "reference_dataset_id", "trace_tier", "id", "run_count",
                "latency_p50", "latency_p99", "first_token_p50", "first_token_p99", "total_tokens", "prompt_tokens",
                "completion_tokens", "total_cost", "prompt_cost", "completion_cost", "tenant_id", "last_run_start_time",
                "last_run_start_time_live", "feedback_stats", "session_feedback_stats", "run_facets", "error_rate",
                "streaming_rate", "test_run_number");
    }

    @Test
    void storesRowsAsRunsExamplesAndFeedback() {
        // Given
        TestUpload upload = TestUpload.ofRows(1).with("summary_experiment_scores",
                List.of(Map.of("key", "passed", "score", true, "comment", "all")));
        Map<String, Object> row = upload.rowAt(0);
        row.put("run_name", "target");
        row.put("run_metadata", Map.of("try", 2));
        row.put("evaluation_scores", List.of(Map.of("key", "right", "score", false, "value", "no \"way\"",
                "feedback_source", Map.of("type", "model", "more", 1), "correction", Map.of("answer", "because"),
                "feedback_config",
                Map.of("type", "categorical", "categories", List.of(Map.of("value", 0, "label", "wrong"))))));

        // When
        Response response = upload(upload);

        // Then
        String session = response.path("experiment.id");
        assertThat(run(session, "name || run_type || status")).isEqualTo("targetchainsuccess");
        assertThat(run(session, "reference_example_id")).isEqualTo(row.get("row_id"));
        assertThat(run(session, "metadata")).isEqualTo("{\"try\":2}");
        assertThat(run(session, "extra")).isEqualTo("{\"metadata\":{\"try\":2}}");
        assertThat(run(session, "dotted_order")).matches("20261120T081000000000Z" + run(session, "id"));
        assertThat(run(session, "extract(epoch FROM end_time - start_time)")).startsWith("1.5");
        assertThat(feedback(session, "right", "score::text || value || label || source || correction"))
                .startsWith("0\"no \\\"way\\\"\"no \"way\"")
                .contains("\"more\":1").endsWith("{\"answer\":\"because\"}");
        assertThat(feedback(session, "right", "run_id")).isEqualTo(run(session, "id"));
        assertThat(feedback(session, "passed", "score || comment || coalesce(run_id::text, '-')")).isEqualTo("1all-");
    }

    @Test
    void groupsUploadsByDataset() {
        // Given
        UUID datasetId = UUID.randomUUID();
        Response first = upload(TestUpload.ofRows(1).without("dataset_name").with("dataset_id", datasetId.toString()));
        String generated = first.path("dataset.name");

        // When
        Response byName = upload(TestUpload.ofRows(1).with("dataset_name", generated));
        Response byBoth = upload(TestUpload.ofRows(1).with("dataset_name", generated).with("dataset_id", datasetId.toString()));

        // Then
        first.then().statusCode(200).body("dataset.name", matchesPattern("external-dataset-[0-9a-f]{8}"));
        byName.then().body("dataset.id", equalTo(datasetId.toString())).body("experiment.test_run_number", equalTo(2));
        byBoth.then().body("dataset.session_count", equalTo(3)).body("dataset.example_count", equalTo(3));
    }

    @Test
    void returns409ForConflictingUploads() {
        // Given
        UUID id = UUID.randomUUID();
        upload(TestUpload.ofRows(1).with("dataset_name", "one").with("dataset_id", id.toString()).with("experiment_name", "e"));
        upload(TestUpload.ofRows(1).with("dataset_name", "two"));
        as(account).contentType("application/json").body("{\"name\": \"ordinary\"}").post("/api/v1/datasets").then()
                .statusCode(200).body("externally_managed", equalTo(false));

        // When
        List<TestUpload> conflicts = List.of(
                TestUpload.ofRows(1).with("dataset_name", "ordinary"),
                TestUpload.ofRows(1).with("dataset_name", "one").with("experiment_name", "e"),
                TestUpload.ofRows(1).with("dataset_name", "two").with("dataset_id", id.toString()),
                TestUpload.ofRows(1).with("dataset_name", "new").with("dataset_id", id.toString()),
                TestUpload.ofRows(1).with("dataset_name", "one").with("dataset_id", UUID.randomUUID().toString()));

        // Then
        assertThat(conflicts).allSatisfy(conflict -> upload(conflict).then().statusCode(409));
        upload(TestUpload.ofRows(1).with("dataset_name", "two").with("experiment_name", "e")).then().statusCode(200);
        assertThat(Rows.count("SELECT count(*) FROM trace.sessions WHERE tenant_id = ?", account.workspaceId())).isEqualTo(3);
        assertThat(Rows.count("SELECT count(*) FROM trace.datasets WHERE tenant_id = ?", account.workspaceId())).isEqualTo(3);
    }

    @Test
    void experimentMayShareANameWithAProject() {
        // Given
        String project = as(account).contentType("application/json").body("{\"name\": \"shared name\"}").post("/sessions")
                .path("id");

        // When
        Response uploaded = upload(TestUpload.ofRows(1).with("experiment_name", "shared name"));

        // Then
        uploaded.then().statusCode(200).body("experiment.id", not(equalTo(project)));
        as(account).contentType("application/json").body("{\"name\": \"shared name\"}").post("/sessions?upsert=true").then()
                .body("id", equalTo(project));
    }

    @Test
    void changedInputsUpdateTheExampleOnly() {
        // Given
        TestUpload first = TestUpload.ofRows(2);
        Object rowId = first.rowAt(0).get("row_id");
        String firstSession = upload(first).path("experiment.id");
        TestUpload second = TestUpload.ofRows(0).with("dataset_name", first.get("dataset_name"));
        Map<String, Object> changed = TestUpload.row();
        changed.put("row_id", rowId);
        changed.put("inputs", Map.of("question", "why not?"));
        changed.remove("expected_outputs");
        Map<String, Object> same = TestUpload.row();
        same.put("row_id", first.rowAt(1).get("row_id"));

        // When
        Response response = upload(second.add(changed).add(same));

        // Then
        response.then().statusCode(200).body("dataset.example_count", equalTo(2));
        UUID example = UUID.fromString(rowId.toString());
        assertThat(example(example, "inputs || outputs || inputs_version"))
                .isEqualTo("{\"question\":\"why not?\"}{\"answer\":\"because\"}2");
        assertThat(example(UUID.fromString(same.get("row_id").toString()), "inputs_version")).isEqualTo("1");
        assertThat(Rows.value("SELECT inputs FROM trace.runs WHERE session_id = ? AND reference_example_id = ?",
                UUID.fromString(firstSession), example)).isEqualTo("{\"question\":\"why?\"}");
    }

    @Test
    void equivalentInputsKeepTheirVersion() {
        // Given
        TestUpload upload = TestUpload.ofRows(1);
        String rowId = upload.rowAt(0).get("row_id").toString();
        upload(upload);

        // When
        String respelled = upload.with("experiment_name", "again").json().replace("{\"question\":\"why?\"}",
                "{ \"question\" : \"wh\\u0079?\" }");
        uploadText(respelled).then().statusCode(200);

        // Then
        assertThat(example(UUID.fromString(rowId), "inputs_version || inputs"))
                .isEqualTo("1{ \"question\" : \"wh\\u0079?\" }");
    }

    @Test
    void derivesAnIdIfAnotherDatasetHasTheRowId() {
        // Given
        TestUpload first = TestUpload.ofRows(1);
        upload(first);
        UUID rowId = UUID.fromString(first.rowAt(0).get("row_id").toString());

        // When
        TestUpload second = TestUpload.ofRows(0).add(first.rowAt(0)).add(TestUpload.row());
        String dataset = upload(second).path("dataset.id");
        upload(second.with("experiment_name", "again")).then().statusCode(200).body("dataset.example_count", equalTo(2));

        // Then
        UUID generated = NameIds.of(UUID.fromString(dataset), rowId.toString());
        assertThat(example(generated, "row_id")).isEqualTo(rowId.toString());
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND reference_example_id = ?",
                account.workspaceId(), generated)).isEqualTo(2);
    }

    @Test
    void acceptsMembersInAnyOrderAndCompressed() {
        // Given
        TestUpload upload = TestUpload.ofRows(2);
        upload.rowAt(1).put("end_time", "2026-11-20T09:00:00.000001Z");
        Object results = upload.get("results");
        String resultsFirst = dev.waybill.experiment.TestRun.json(Map.of("results", results)).replaceAll("}$", ",")
                + upload.without("results").json().substring(1);

        // When
        Response rejected = uploadText(resultsFirst);
        Response compressed = as(account).contentType("application/json").header("Content-Encoding", "gzip")
                .body(Compression.gzip(TestUpload.ofRows(2).json().getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .post("/api/v1/datasets/upload-experiment");

        // Then
        rejected.then().statusCode(422).body("errors.size()", equalTo(1))
                .body("errors[0].loc", equalTo(List.of("results", 1, "end_time")));
        compressed.then().statusCode(200).body("dataset.example_count", equalTo(2));
    }

    @Test
    void sameIdempotencyKeyCreatesOneExperiment() {
        // Given
        String body = TestUpload.ofRows(2).json();
        String key = UUID.randomUUID().toString();

        // When
        Response first = keyed(key, body);
        Response repeated = keyed(key, body);
        Response other = keyed(key, TestUpload.ofRows(2).json());

        // Then
        first.then().statusCode(200);
        repeated.then().statusCode(200).header("Idempotent-Replayed", "true").body("$", equalTo(first.jsonPath().getMap("$")));
        other.then().statusCode(422);
        assertThat(Rows.count("SELECT count(*) FROM trace.sessions WHERE tenant_id = ?", account.workspaceId())).isOne();
    }

    private Response keyed(String key, String body) {
        return as(account).contentType("application/json").header("Idempotency-Key", key).body(body)
                .post("/api/v1/datasets/upload-experiment");
    }

    private Response upload(TestUpload upload) {
        return uploadText(upload.json());
    }

    private Response uploadText(String body) {
        return as(account).contentType("application/json").body(body).post("/api/v1/datasets/upload-experiment");
    }

    private String run(String session, String column) {
        return Rows.value("SELECT " + column + " FROM trace.runs WHERE session_id = ?", UUID.fromString(session));
    }

    private String feedback(String session, String key, String column) {
        return Rows.value("SELECT " + column + " FROM trace.feedback WHERE session_id = ? AND key = ?",
                UUID.fromString(session), key);
    }

    private String example(UUID id, String column) {
        return Rows.value("SELECT " + column + " FROM trace.examples WHERE tenant_id = ? AND id = ?", account.workspaceId(),
                id);
    }
}
