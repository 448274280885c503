package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;

/** The row of one example with the comments of evaluators. */
@QuarkusTest
class ComparisonDetailTest {

    private final Account account = Accounts.account().create();
    private final List<String> experiments = new ArrayList<>();
    private final TestUpload upload = TestUpload.ofRows(3).with("dataset_name", "detail");
    private String dataset;

    @BeforeEach
    void uploadTwo() {
        for (String name : List.of("first", "second")) {
            for (int i = 0; i < 3; i++) {
                upload.rowAt(i).put("evaluation_scores", List.of(
                        Map.of("key", "polite", "score", i, "comment", name + " is polite, because " + i),
                        Map.of("key", "category", "value", "good", "comment", "=1+1 \u0000 \ud83d\ude80"),
                        Map.of("key", "correct", "score", 1, "comment", "")));
            }
            Response response = as(account).contentType("application/json").body(upload.with("experiment_name", name).json())
                    .post("/api/v1/datasets/upload-experiment");
            dataset = response.path("dataset.id");
            experiments.add(response.path("experiment.id"));
        }
    }

    @Test
    void rowOfAnExampleHasTheCommentsOnItsScores() {
        // Given
        String example = (String) upload.rowAt(1).get("row_id");
        String run = compare(Map.of("example_id", example)).extract().path("rows[0].runs[1].run_id");
        as(account).contentType("application/json")
                .body(Map.of("run_id", run, "key", "polite", "score", 0, "comment", "x".repeat(5_000)))
                .post("/api/v1/feedback").then().statusCode(200);

        // When
        ValidatableResponse response = compare(Map.of("example_id", example, "parts", List.of("rows"), "filter", "worse",
                "offset", 50));

        // Then
        response.body("total", equalTo(1)).body("rows", hasSize(1)).body("rows[0].example_id", equalTo(example))
                .body("rows[0].runs.experiment_id", equalTo(experiments))
                .body("rows[0].runs[0].comments.key", equalTo(List.of("category", "polite")))
                .body("rows[0].runs[0].comments[0].score", nullValue())
                .body("rows[0].runs[0].comments[0].comment", equalTo("=1+1 \ufffd \ud83d\ude80"))
                .body("rows[0].runs[0].comments[1].score", equalTo(1.0f))
                .body("rows[0].runs[0].comments[1].comment", equalTo("first is polite, because 1"))
                .body("rows[0].runs[1].comments.key", equalTo(List.of("category", "polite", "polite")))
                .body("rows[0].runs[1].comments[2].comment", equalTo("x".repeat(4_000)))
                .body("rows[0].runs[1].comments[2].run_id", equalTo(run));
    }

    @Test
    void detailEqualsTheRowOfThePage() {
        // Given
        JsonNode page = compare(Map.of("parts", List.of("rows"))).extract().as(JsonNode.class).get("rows");

        for (JsonNode row : page) {
            // When
            JsonNode detail = compare(Map.of("parts", List.of("rows"), "example_id", row.get("example_id").asText()))
                    .extract().as(JsonNode.class).get("rows").get(0);

            // Then
            assertThat(row.findValue("comments")).isNull();
            detail.get("runs").forEach(run -> assertThat(((com.fasterxml.jackson.databind.node.ObjectNode) run)
                    .remove("comments")).hasSize(2));
            assertThat(detail).isEqualTo(row);
        }
    }

    @Test
    void exampleWithoutRunsHasNoRow() {
        compare(Map.of("example_id", UUID.randomUUID().toString())).body("total", equalTo(0)).body("rows", hasSize(0));
    }

    @Test
    void newCommentChangesTheEntityTag() {
        // Given
        Map<String, Object> request = Map.of("parts", List.of("rows"), "example_id", upload.rowAt(0).get("row_id"));
        Response before = send(request, "\"other\"");
        String feedback = as(account).get("/api/v1/feedback?key=polite&run=" + before.path("rows[0].runs[0].run_id"))
                .path("[0].id");

        // When
        as(account).contentType("application/json").body(Map.of("comment", "changed")).patch("/api/v1/feedback/" + feedback)
                .then().statusCode(200);

        // Then
        Response after = send(request, before.header("ETag"));
        after.then().statusCode(200).body("rows[0].runs[0].comments[1].comment", equalTo("changed"));
        send(request, after.header("ETag")).then().statusCode(304);
    }

    @Test
    void csvRejectsAnExample() {
        as(account).contentType("application/json").accept("text/csv")
                .body(body(Map.of("example_id", UUID.randomUUID().toString()))).post(path()).then().statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("example_id"))));
    }

    private ValidatableResponse compare(Map<String, Object> members) {
        return send(members, "\"none\"").then().statusCode(200);
    }

    private Response send(Map<String, Object> members, String tag) {
        return as(account).contentType("application/json").header("If-None-Match", tag).body(body(members)).post(path());
    }

    private Map<String, Object> body(Map<String, Object> members) {
        Map<String, Object> body = new HashMap<>(members);
        body.put("experiment_ids", experiments);
        return body;
    }

    private String path() {
        return "/api/v1/datasets/" + dataset + "/comparison";
    }
}
