package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

@QuarkusTest
class TraceTest {

    private final Account account = Accounts.account().create();

    @Test
    void treeHasTheMembersOfRunsWithoutTheirValues() {
        // Given
        TestRun root = TestRun.root().with("session_name", "tree").with("name", "n".repeat(300));
        TestRun model = TestRun.below(root).with("session_name", "tree").with("run_type", "llm").with("error", "e".repeat(500))
                .with("prompt_tokens", 7).with("completion_tokens", 3).with("total_cost", "0.000000125")
                .with("events", List.of(Map.of("name", "new_token", "time", "2026-11-20T08:00:01Z")));
        TestRun tool = TestRun.below(model).with("session_name", "tree").without("end_time", "outputs");
        post(root, model, tool);

        // When
        Response trace = get(root);

        // Then
        trace.then().statusCode(200)
                .body("trace_id", equalTo(root.id().toString()))
                .body("session_id", equalTo(as(account).get("/sessions?name=tree").path("[0].id")))
                .body("session_name", equalTo("tree"))
                .body("reference_dataset_id", nullValue())
                .body("reference_example_id", nullValue())
                .body("run_count", equalTo(3))
                .body("truncated", equalTo(false))
                .body("runs.id", equalTo(ids(root, model, tool)))
                .body("runs.depth", equalTo(List.of(0, 1, 2)))
                .body("runs[0].parent_run_id", nullValue())
                .body("runs[0].name", equalTo("n".repeat(200)))
                .body("runs[0].start_time", equalTo("2026-11-20T08:00:00.123456Z"))
                .body("runs[1].parent_run_id", equalTo(root.id().toString()))
                .body("runs[1].run_type", equalTo("llm"))
                .body("runs[1].status", equalTo("error"))
                .body("runs[1].error", equalTo("e".repeat(200)))
                .body("runs[1].first_token_time", equalTo("2026-11-20T08:00:01.000000Z"))
                .body("runs[1].total_tokens", equalTo(10))
                .body("runs[1].total_cost", equalTo("0.000000125"))
                .body("runs[2].status", equalTo("pending"))
                .body("runs[2].end_time", nullValue());
        assertThat(trace.jsonPath().getMap("runs[0]")).doesNotContainKeys("inputs", "outputs", "extra", "events", "metadata");
    }

    @Test
    void traceOfAnExperimentNamesItsDatasetAndExample() {
        // Given
        TestUpload upload = TestUpload.ofRows(2);
        Response uploaded = as(account).contentType("application/json").body(upload.json())
                .post("/api/v1/datasets/upload-experiment");
        String experiment = uploaded.path("experiment.id");
        List<Map<String, String>> runs = as(account).contentType("application/json")
                .body(Map.of("session", List.of(experiment), "select", List.of("id", "trace_id", "reference_example_id")))
                .post("/api/v1/runs/query").path("runs");

        for (Map<String, String> run : runs) {
            // When
            Response trace = as(account).get("/api/v1/traces/" + run.get("trace_id"));

            // Then
            trace.then().statusCode(200)
                    .body("session_id", equalTo(experiment))
                    .body("session_name", equalTo(upload.get("experiment_name")))
                    .body("reference_dataset_id", equalTo(uploaded.path("dataset.id")))
                    .body("reference_example_id", equalTo(run.get("reference_example_id")));
        }
        assertThat(runs).extracting(run -> run.get("reference_example_id"))
                .containsExactlyInAnyOrder((String) upload.rowAt(0).get("row_id"), (String) upload.rowAt(1).get("row_id"));
    }

    @Test
    @Tag("full")
    void tenThousandRunsAreOneResponse() throws Exception {
        // Given
        TestRun root = TestRun.root().with("session_name", "wide").without("inputs", "outputs");
        post(root);
        for (int batch = 0; batch < 10; batch++) {
            List<TestRun> children = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                children.add(TestRun.below(root).with("session_name", "wide").without("inputs", "outputs"));
            }
            post(children.toArray(TestRun[]::new));
        }

        // When
        HttpResponse<byte[]> compressed = getBytes(root, "br, gzip;q=0.5");
        HttpResponse<byte[]> plain = getBytes(root, "gzip;q=0, br");

        // Then
        get(root).then().statusCode(200).body("run_count", equalTo(10_001)).body("runs", hasSize(10_001))
                .body("truncated", equalTo(false));
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes()).isEqualTo(plain.body());
        assertThat(compressed.headers().firstValue("ETag")).isEqualTo(plain.headers().firstValue("ETag"));
    }

    @Test
    @Tag("full")
    void moreRunsThanTheLimitAreTruncatedAndMarked() {
        // Given
        TestRun root = TestRun.root().with("session_name", "huge");
        post(root);
        Rows.value("""
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, parent_run_id, parent_run_ids, name,
                    run_type, status, dotted_order)
                SELECT tenant_id, gen_random_uuid(), session_id, start_time + n * interval '1 microsecond', trace_id, id,
                    ARRAY[id], 'n', 'tool', 'success', dotted_order
                FROM trace.runs, generate_series(1, 20000) AS n WHERE tenant_id = ? AND id = ?
                """, account.workspaceId(), root.id());

        // Then
        get(root).then().statusCode(200).body("run_count", equalTo(20_001)).body("truncated", equalTo(true))
                .body("runs", hasSize(20_000)).body("runs[0].id", equalTo(root.id().toString()));
    }

    @Test
    void returns304UntilARunOfTheTraceChanges() {
        // Given
        TestRun root = TestRun.root().with("session_name", "cached");
        TestRun child = TestRun.below(root).with("session_name", "cached");
        post(root);
        String first = get(root).header("ETag");

        // When
        Response unchanged = known(first).get(path(root));
        post(child);
        String second = known(first).get(path(root)).then().statusCode(200).body("runs", hasSize(2)).extract().header("ETag");
        as(account).contentType("application/json").body(TestRun.json(Map.of("error", "late"))).patch("/runs/" + child.id());
        Response patched = known(second).get(path(root));
        post(TestRun.root().with("session_name", "cached"));

        // Then
        unchanged.then().statusCode(304).header("ETag", first).body(equalTo(""));
        patched.then().statusCode(200).body("runs[1].error", equalTo("late"));
        known(patched.header("ETag") + ", \"other\"").get(path(root)).then().statusCode(304);
    }

    @Test
    void returns404WithoutRuns() {
        // Given
        TestRun root = TestRun.root().with("session_name", "removed");
        post(root);
        Account stranger = Accounts.account().create();

        // Then
        as(stranger).get(path(root)).then().statusCode(404).body("detail", containsString("There is no trace " + root.id()));
        as(account).get("/api/v1/traces/" + UUID.randomUUID()).then().statusCode(404);
        as(account).get("/api/v1/traces/nonsense").then().statusCode(404);
        as(account).delete("/sessions/" + get(root).path("session_id")).then().statusCode(202);
        get(root).then().statusCode(404);
    }

    private void post(TestRun... runs) {
        List<Map<String, Object>> bodies = new ArrayList<>();
        for (TestRun run : runs) {
            bodies.add(run.members());
        }
        Map<String, Object> batch = new HashMap<>();
        batch.put("post", bodies);
        as(account).contentType("application/json").body(TestRun.json(batch)).post("/runs/batch").then().statusCode(202);
    }

    private RequestSpecification known(String tag) {
        return as(account).header("If-None-Match", tag);
    }

    private Response get(TestRun root) {
        return as(account).get(path(root));
    }

    private HttpResponse<byte[]> getBytes(TestRun root, String acceptEncoding) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path(root)))
                    .header("X-Api-Key", account.key())
                    .header("Accept-Encoding", acceptEncoding)
                    .build(), HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static String path(TestRun root) {
        return "/api/v1/traces/" + root.id();
    }

    private static List<String> ids(TestRun... runs) {
        List<String> ids = new ArrayList<>();
        for (TestRun run : runs) {
            ids.add(run.id().toString());
        }
        return ids;
    }
}
