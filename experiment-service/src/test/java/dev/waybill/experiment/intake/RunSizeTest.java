package dev.waybill.experiment.intake;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.trace.RunSize;
import dev.waybill.experiment.Compression;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** No operation stores a run that exports could not write completely. */
@QuarkusTest
class RunSizeTest {

    private static final int MAX = (int) RunSize.MAX_BYTES;
    private static final int HALF = MAX / 2 + 1024;

    private final Account account = Accounts.account().create();

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = { "PATCH", "batch", "multipart" })
    void returns413ForPatchesThatMakeARunTooLarge(String operation) {
        // Given
        TestRun run = TestRun.root().with("inputs", text(HALF)).without("outputs");
        post("/runs", run.members()).then().statusCode(202);
        TestRun small = TestRun.root();
        run.identityOnly().with("outputs", text(HALF));

        // When
        Response response = switch (operation) {
            case "PATCH" -> as(account).contentType("application/json").body(run.json()).patch("/runs/" + run.id());
            case "batch" -> post("/runs/batch", Map.of("post", List.of(small.members()), "patch", List.of(run.members())));
            default -> as(account).contentType(TestForm.TYPE)
                    .body(TestForm.of(small)
                            .part("patch." + run.id(), "application/json", run.json().getBytes(StandardCharsets.UTF_8)).bytes())
                    .post("/runs/multipart");
        };

        // Then: nothing of the request is stored
        requireTooLarge(response, run);
        as(account).get("/runs/" + run.id()).then().statusCode(200).body("outputs", nullValue());
        as(account).get("/runs/" + small.id()).then().statusCode(404);
    }

    @Test
    void acceptsRunsUpToTheLimit() {
        // Given
        TestRun run = TestRun.root().without("outputs");
        int others = "answer".length() + "{\"text\":\"\"}".length();
        TestRun largest = run.with("inputs", text(MAX - others));
        TestRun tooLarge = TestRun.root().without("outputs").with("inputs", text(MAX - others)).with("tags", List.of("t"));

        // Then
        requireTooLarge(postCompressed("/runs/batch", Map.of("post", List.of(tooLarge.members()))), tooLarge);
        requireTooLarge(postCompressed("/runs", tooLarge.members()), tooLarge);
        postCompressed("/runs", largest.members()).then().statusCode(202);
        assertThat(Rows.count("SELECT octet_length(name) + octet_length(inputs) FROM trace.runs WHERE id = ?", largest.id()))
                .isEqualTo(MAX);
    }

    @Test
    @Tag("full")
    void earlyPatchCountsTowardsTheSize() {
        // Given
        TestRun run = TestRun.root().with("inputs", text(HALF)).without("outputs");
        TestRun early = TestRun.root();
        Map<String, Object> change = Map.of("id", run.id(), "trace_id", run.get("trace_id"), "dotted_order",
                run.dottedOrder(), "outputs", text(HALF));
        post("/runs/batch", Map.of("patch", List.of(change), "post", List.of(early.members()))).then().statusCode(202);

        // Then
        requireTooLarge(post("/runs/batch", Map.of("post", List.of(run.members()))), run);
    }

    @Test
    void uploadWithAnOversizedRowStoresNothing() {
        // Given
        TestUpload upload = TestUpload.ofRows(2);
        @SuppressWarnings("unchecked")
        Map<String, Object> row = ((List<Map<String, Object>>) upload.get("results")).getLast();
        // Stored twice: in extra and in its own column.
        row.put("run_metadata", text(HALF));

        // When
        Response response = as(account).contentType("application/json").body(upload.json())
                .post("/api/v1/datasets/upload-experiment");

        // Then
        response.then().statusCode(413).body("detail", containsString("bytes of text"));
        assertThat(as(account).get("/sessions").jsonPath().getList("$")).isEmpty();
    }

    @Test
    void rejectsAnOversizedSpanAndStoresOthers() {
        // Given: extra.otel contains the attributes a second time
        String spans = """
                {"resourceSpans": [{"scopeSpans": [{"spans": [
                  {"traceId": "%1$s", "spanId": "0000000000000001", "name": "large", "startTimeUnixNano": "1795161600000000000",
                   "attributes": [{"key": "input.value", "value": {"stringValue": "%2$s"}}]},
                  {"traceId": "%1$s", "spanId": "0000000000000002", "name": "small", "startTimeUnixNano": "1795161600000000000"}
                ]}]}]}""".formatted("5b8efff798038103d269b633813fc60c", "x".repeat(HALF));

        // When
        Response response = as(account).contentType("application/json").body(spans).post("/otel/v1/traces");

        // Then
        response.then().statusCode(200).body("partialSuccess.rejectedSpans", equalTo("1"))
                .body("partialSuccess.errorMessage", containsString("bytes of text"));
        assertThat(Rows.value("SELECT string_agg(name, ',') FROM trace.runs WHERE tenant_id = ?", account.workspaceId()))
                .isEqualTo("small");
    }

    private static void requireTooLarge(Response response, TestRun run) {
        response.then().statusCode(413).contentType("application/problem+json")
                .body("detail", containsString(run.id().toString()))
                .body("detail", containsString("bytes of text"))
                .body("limit", equalTo(MAX));
    }

    private Response post(String path, Object body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post(path);
    }

    private Response postCompressed(String path, Object body) {
        return as(account).contentType("application/json").header("Content-Encoding", "gzip")
                .body(Compression.gzip(TestRun.json(body).getBytes(StandardCharsets.UTF_8))).post(path);
    }

    private static Map<String, String> text(int bytes) {
        return Map.of("text", "x".repeat(bytes));
    }
}
