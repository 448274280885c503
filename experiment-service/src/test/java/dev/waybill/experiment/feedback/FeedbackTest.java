package dev.waybill.experiment.feedback;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class FeedbackTest {

    private final Account account = Accounts.account().create();

    @Test
    void readsAndFiltersFeedback() {
        // Given
        TestRun run = posted("found");
        String session = sessionOf(run);
        Response created = create(Map.of("run_id", run.id().toString(), "key", "correct", "score", true, "value",
                Map.of("a", 1), "comment", "yes", "correction", "other", "feedback_source", Map.of("type", "api", "x", 1),
                "feedback_config", Map.of("type", "continuous", "min", 0, "max", 1)));
        create(Map.of("session_id", session, "key", "overall", "value", "fine"));

        // Then
        created.then().statusCode(200)
                .body("run_id", equalTo(run.id().toString()))
                .body("session_id", equalTo(session))
                .body("trace_id", equalTo(run.id().toString()))
                .body("score", equalTo(1.0f))
                .body("value", equalTo(Map.of("a", 1)))
                .body("correction", equalTo("other"))
                .body("feedback_source.x", equalTo(1))
                .body("feedback_config.max", equalTo(1));
        assertThat(as(account).get("/api/v1/feedback/" + created.path("id")).jsonPath().getMap("$"))
                .isEqualTo(created.jsonPath().getMap("$"));
        assertThat(keys("run=" + run.id())).containsExactly("correct");
        assertThat(keys("session=" + session)).containsExactly("overall", "correct");
        assertThat(keys("session=" + session + "&level=session")).containsExactly("overall");
        assertThat(keys("session=" + session + "&level=run")).containsExactly("correct");
        assertThat(keys("key=overall&key=correct&limit=1&offset=1")).containsExactly("correct");
        assertThat(keys("source=api")).containsExactly("correct");
    }

    @Test
    void countsValuesOfAllTypes() {
        // Given
        TestRun run = posted("values");
        for (Object value : List.of("good", "good", true, 3, Map.of("a", 1))) {
            create(Map.of("run_id", run.id().toString(), "key", "k", "value", value));
        }
        create(Map.of("run_id", run.id().toString(), "key", "k", "score", 2, "feedback_config",
                Map.of("type", "categorical", "categories", List.of(Map.of("value", 2, "label", "good")))));
        create(Map.of("run_id", run.id().toString(), "key", "k", "comment", "only a comment"));

        // When
        Response session = as(account).get("/api/v1/sessions/" + sessionOf(run) + "?include_stats=true");

        // Then
        session.then().body("feedback_stats.k.n", equalTo(6))
                .body("feedback_stats.k.avg", equalTo(2.0f))
                .body("feedback_stats.k.stdev", equalTo(0.0f))
                .body("feedback_stats.k.values", equalTo(Map.of("good", 2, "true", 1, "3", 1, "{\"a\":1}", 1)));
    }

    @Test
    void acceptsFeedbackConfigInCamelCase() {
        // Given
        Map<String, Object> config = Map.of("type", "continuous", "min", 0, "max", 2);

        // When
        Response created = create(
                Map.of("run_id", UUID.randomUUID().toString(), "key", "k", "score", false, "feedbackConfig", config));
        Response wrong = create(Map.of("run_id", UUID.randomUUID().toString(), "key", "k", "feedbackConfig", "high"));

        // Then
        created.then().statusCode(200).body("score", equalTo(0.0f)).body("feedback_config.max", equalTo(2));
        wrong.then().statusCode(422).body("errors[0].loc", equalTo(List.of("feedback_config")));
    }

    @Test
    void acceptsFeedbackBeforeItsRun() {
        // Given
        TestRun run = TestRun.root().with("session_name", "late");
        create(Map.of("run_id", run.id().toString(), "key", "early", "score", 0.25)).then().statusCode(200)
                .body("session_id", nullValue())
                .body("trace_id", nullValue());

        // When
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);

        // Then
        String session = sessionOf(run);
        as(account).get("/api/v1/sessions/" + session + "?include_stats=true").then()
                .body("feedback_stats.early.avg", equalTo(0.25f));
        assertThat(keys("session=" + session)).containsExactly("early");
    }

    @Test
    void acceptsFeedbackInAMultipartBatch() {
        // Given
        TestRun run = TestRun.root().with("session_name", "together");
        UUID id = UUID.randomUUID();
        String feedback = TestRun
                .json(Map.of("id", id.toString(), "run_id", run.id().toString(), "trace_id", run.id().toString(),
                        "session_id", UUID.randomUUID().toString(), "key", "sent", "score", 1, "feedback_source",
                        Map.of("type", "api")));

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, null, TestForm.of(run).part("feedback." + id, feedback)
                .part("feedback." + UUID.randomUUID(), "{\"key\": 7}").bytes());

        // Then
        assertThat(response.status()).isEqualTo(202);
        as(account).get("/api/v1/feedback/" + id).then().statusCode(200).body("session_id", equalTo(sessionOf(run)));
        assertThat(keys("run=" + run.id())).containsExactly("sent");
    }

    @Test
    void sameIdReplacesAndUpdateKeepsOtherMembers() {
        // Given
        String id = UUID.randomUUID().toString();
        Map<String, Object> request = new LinkedHashMap<>(Map.of("id", id, "run_id", UUID.randomUUID().toString(), "key", "k",
                "score", 1, "comment", "first"));
        create(request);

        // When
        request.remove("comment");
        Response replaced = create(request);
        Response changed = as(account).contentType("application/json").body("{\"score\": false, \"correction\": {\"a\": 2}}")
                .patch("/api/v1/feedback/" + id);

        // Then
        replaced.then().statusCode(200).body("comment", nullValue());
        changed.then().statusCode(200).body("score", equalTo(0.0f)).body("correction.a", equalTo(2)).body("key", equalTo("k"));
        assertThat(keys("key=k")).containsExactly("k");
        as(account).delete("/api/v1/feedback/" + id).then().statusCode(200);
        as(account).delete("/api/v1/feedback/" + id).then().statusCode(404);
        as(account).get("/api/v1/feedback/" + id).then().statusCode(404);
    }

    @Test
    void updateRemovesNullAndKeepsAbsentMembers() {
        // Given
        TestRun run = posted("cleared");
        String id = create(Map.of("run_id", run.id().toString(), "key", "k", "score", 1, "value", "good", "comment", "first",
                "correction", "other")).path("id");

        // When
        Response cleared = update(id, "{\"score\": null, \"value\": null, \"comment\": \"second\"}");
        Response unchanged = update(id, "{}");
        Response emptied = update(id, "{\"comment\": null, \"correction\": null}");

        // Then
        cleared.then().statusCode(200).body("score", nullValue()).body("value", nullValue()).body("comment", equalTo("second"))
                .body("correction", equalTo("other"));
        unchanged.then().statusCode(200).body("comment", equalTo("second")).body("correction", equalTo("other"));
        emptied.then().statusCode(200).body("comment", nullValue()).body("correction", nullValue());
        as(account).get("/runs/" + run.id()).then().body("feedback_stats.k.n", equalTo(0))
                .body("feedback_stats.k.values", equalTo(Map.of()));
        update(id, "{\"comment\": 7, \"score\": \"high\"}").then().statusCode(422)
                .body("errors.loc.flatten()", equalTo(List.of("score", "comment")));
    }

    @Test
    void truncatesLongValuesInStatistics() {
        // Given
        TestRun run = posted("long");
        String beginning = "x".repeat(250);
        for (String end : List.of("a", "b")) {
            create(Map.of("run_id", run.id().toString(), "key", "k", "value", beginning + end));
        }

        // Then
        as(account).get("/runs/" + run.id()).then().body("feedback_stats.k.values", equalTo(Map.of(beginning, 2)));
        as(account).get("/api/v1/sessions/" + sessionOf(run) + "?include_stats=true").then()
                .body("feedback_stats.k.values", equalTo(Map.of(beginning, 2)));
    }

    @Test
    void extremeScoresDoNotFailTheRun() {
        // Given
        TestRun run = posted("ends");
        for (String score : List.of("1e308", "-1e308", "1e200")) {
            create(Map.of("run_id", run.id().toString(), "key", "k", "score", new BigDecimal(score))).then().statusCode(200);
        }

        // When
        Response read = as(account).get("/runs/" + run.id());

        // Then
        read.then().statusCode(200).body("feedback_stats.k.n", equalTo(3)).body("feedback_stats.k.avg", nullValue());
        assertThat(read.jsonPath().getDouble("feedback_stats.k.max")).isEqualTo(1e308);
    }

    @Test
    void deletesEarlyFeedbackWithItsSession() {
        // Given
        TestRun run = TestRun.root().with("session_name", "going");
        String id = create(Map.of("run_id", run.id().toString(), "key", "early", "score", 1)).path("id");
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);

        // When
        as(account).delete("/sessions/" + sessionOf(run)).then().statusCode(202);

        // Then
        as(account).get("/api/v1/feedback/" + id).then().statusCode(404);
    }

    @Test
    void listsFeedbackWithUnsupportedCharacters() {
        // Given
        for (String odd : List.of("\u0000", "\ud800")) {
            create(Map.of("run_id", UUID.randomUUID().toString(), "key", "odd", "feedback_source",
                    Map.of("type", "api", "x", odd))).then().statusCode(200);
        }

        // Then
        assertThat(keys("source=api")).containsExactly("odd", "odd");
    }

    @Test
    void reportsAllViolations() {
        create(Map.of("key", "k", "score", "high", "feedback_config", Map.of("type", "continuous", "min", 2, "max", 1)))
                .then().statusCode(422)
                .body("errors.loc.flatten().sort()", equalTo(List.of("feedback_config", "run_id", "score")));
    }

    @Test
    void returnsHugeNumbers() {
        // When
        Response created = create(Map.of("run_id", UUID.randomUUID().toString(), "key", "huge", "value",
                new BigDecimal("1e99999")));

        // Then
        created.then().statusCode(200);
        assertThat(keys("key=huge")).containsExactly("huge");
    }

    @Test
    void returnsUnparseableNumbersUnchanged() {
        // Given
        Map<String, Object> row = TestUpload.row();
        row.put("evaluation_scores", List.of(Map.of("key", "beyond", "score", 1, "correction", Map.of("a", "1e"))));
        String upload = TestUpload.ofRows(0).add(row).json().replace("\"1e\"", "1e99999999999");

        // When
        RawHttpResponse response = RawHttpResponse.postUpload(account, null, upload.getBytes(StandardCharsets.UTF_8));

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(as(account).get("/api/v1/feedback?key=beyond").then().statusCode(200).extract().asString())
                .contains("\"correction\":{\"a\":1e99999999999}");
    }

    @Test
    void returns422ForInvalidFeedback() {
        create(Map.of("key", "k")).then().statusCode(422).body("errors[0].loc", equalTo(List.of("run_id")));
        create(Map.of("key", " ", "run_id", "x")).then().statusCode(422)
                .body("errors.loc.flatten().sort()", equalTo(List.of("key", "run_id")));
        create(Map.of("key", "k", "run_id", UUID.randomUUID().toString(), "score", "high", "value", List.of(1), "correction",
                3))
                .then().statusCode(422)
                .body("errors.loc.flatten().sort()", equalTo(List.of("correction", "score", "value")));
        create(Map.of("key", "k", "session_id", UUID.randomUUID().toString())).then().statusCode(404);
        as(account).get("/api/v1/feedback?level=trace").then().statusCode(422);
    }

    @Test
    void isInvisibleToAnotherWorkspace() {
        // Given
        Account other = Accounts.account().create();
        TestRun run = posted("mine");
        String session = sessionOf(run);
        String id = create(Map.of("run_id", run.id().toString(), "key", "k", "score", 1)).path("id");

        // Then
        as(other).get("/api/v1/feedback/" + id).then().statusCode(404);
        as(other).contentType("application/json").body("{\"score\": 0}").patch("/api/v1/feedback/" + id).then().statusCode(404);
        as(other).delete("/api/v1/feedback/" + id).then().statusCode(404);
        for (String query : List.of("", "?run=" + run.id(), "?session=" + session, "?key=k")) {
            assertThat(as(other).get("/api/v1/feedback" + query).asString()).isEqualTo("[]");
        }
        as(other).contentType("application/json").body(Map.of("key", "k", "session_id", session)).post("/api/v1/feedback")
                .then()
                .statusCode(404);
        as(other).contentType("application/json").body(Map.of("key", "k", "id", id, "run_id", run.id().toString(), "score", 0))
                .post("/api/v1/feedback").then().statusCode(200).body("session_id", nullValue());
        as(account).get("/api/v1/feedback/" + id).then().body("score", equalTo(1.0f));
        as(account).get("/api/v1/sessions/" + session + "?include_stats=true").then()
                .body("feedback_stats.k.n", equalTo(1));
    }

    private TestRun posted(String session) {
        TestRun run = TestRun.root().with("session_name", session);
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);
        return run;
    }

    private String sessionOf(TestRun run) {
        return as(account).get("/runs/" + run.id()).path("session_id");
    }

    private Response create(Map<String, Object> feedback) {
        return as(account).contentType("application/json").body(feedback).post("/api/v1/feedback");
    }

    private Response update(String id, String body) {
        return as(account).contentType("application/json").body(body).patch("/api/v1/feedback/" + id);
    }

    private List<String> keys(String query) {
        return as(account).get("/api/v1/feedback?" + query).path("key");
    }
}
