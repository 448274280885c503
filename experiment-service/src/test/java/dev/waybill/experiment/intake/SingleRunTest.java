package dev.waybill.experiment.intake;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;

@QuarkusTest
class SingleRunTest {

    private final Account account = Accounts.account().create();

    @Test
    void derivesThePositionOfARoot() {
        // Given
        TestRun run = TestRun.root();
        String dottedOrder = run.dottedOrder();

        // When
        post(run.without("trace_id", "dotted_order")).statusCode(202);

        // Then
        get(run.id()).body("trace_id", equalTo(run.id().toString()))
                .body("dotted_order", equalTo(dottedOrder))
                .body("parent_run_ids", equalTo(List.of()));
    }

    @Test
    void derivesThePositionOfAChild() {
        // Given
        TestRun root = TestRun.root();
        TestRun child = TestRun.below(root);
        String dottedOrder = child.dottedOrder();
        post(root).statusCode(202);

        // When
        post(child.without("trace_id", "dotted_order")).statusCode(202);

        // Then
        get(child.id()).body("trace_id", equalTo(root.id().toString())).body("dotted_order", equalTo(dottedOrder));
    }

    @Test
    void returns422ForAMissingParent() {
        // Given
        TestRun child = TestRun.below(TestRun.root()).without("trace_id", "dotted_order");

        // When
        ValidatableResponse response = post(child);

        // Then
        response.statusCode(422).body("errors[0].loc", equalTo(List.of("parent_run_id")));
    }

    @Test
    void acceptsIdsWithoutDashes() {
        // Given
        UUID id = UUID.randomUUID();
        String run = "{\"id\": \"" + id.toString().replace("-", "") + "\", \"name\": \"n\", \"run_type\": \"tool\"}";

        // When
        as(account).contentType("application/json").body(run).post("/runs").then().statusCode(202);

        // Then
        get(id).body("status", equalTo("pending"));
    }

    @Test
    void reportsAllMissingMembers() {
        as(account).contentType("application/json").body("{}").post("/runs").then()
                .statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("name"), List.of("run_type"))));
    }

    @Test
    void storesManifestAndTierAsSent() {
        // Given
        String manifest = UUID.randomUUID().toString();
        TestRun run = TestRun.root().with("manifest_id", manifest);
        TestRun early = TestRun.root();

        // When
        post(run).statusCode(202);
        patch(run.id(), "{\"trace_tier\": \"shortlived\"}");
        patch(early.id(), "{\"manifest_id\": \"" + manifest + "\", \"trace_tier\": \"any\"}");
        post(early).statusCode(202);

        // Then
        get(run.id()).body("manifest_id", equalTo(manifest)).body("trace_tier", equalTo("shortlived"));
        get(early.id()).body("manifest_id", equalTo(manifest)).body("trace_tier", equalTo("any"));
    }

    @Test
    void patchChangesOnlyItsMembers() {
        // Given
        TestRun run = TestRun.root().without("outputs", "end_time").with("extra", Map.of("metadata", Map.of("a", 1)));
        post(run).statusCode(202);

        // When
        patch(run.id(), "{\"outputs\": {\"answer\": 42}, \"end_time\": 1795219772083, \"tags\": null, \"name\": null}");

        // Then
        get(run.id()).body("outputs.answer", equalTo(42))
                .body("end_time", equalTo("2026-11-21T00:09:32.083000Z"))
                .body("status", equalTo("success"))
                .body("name", equalTo("answer"))
                .body("inputs.question", equalTo("why?"))
                .body("extra.metadata.a", equalTo(1))
                .body("tags", nullValue());
        assertThat(Rows.value("SELECT metadata FROM trace.runs WHERE id = ?", run.id())).isEqualTo("{\"a\":1}");
    }

    @Test
    void mergesEarlyPatchesInOrder() {
        // Given
        TestRun run = TestRun.root().without("outputs", "end_time");
        patch(run.id(), "{\"error\": \"first\", \"outputs\": {\"z\": \"\\u0000\"}, \"prompt_tokens\": 5, \"tags\": [\"t\"]}");
        patch(run.id(), "{\"error\": \"second\", \"end_time\": \"2026-11-20T08:00:03Z\"}");

        // When
        post(run).statusCode(202);

        // Then
        get(run.id()).body("error", equalTo("second"))
                .body("status", equalTo("error"))
                .body("end_time", equalTo("2026-11-20T08:00:03.000000Z"))
                .body("prompt_tokens", equalTo(5))
                .body("tags", equalTo(List.of("t")))
                .body("outputs.z", equalTo("\u0000"));
        assertThat(Rows.count("SELECT count(*) FROM trace.early_patches WHERE run_id = ?", run.id())).isZero();
    }

    @Test
    void returns404ForAMissingRun() {
        get(UUID.randomUUID()).statusCode(404);
    }

    private ValidatableResponse post(TestRun run) {
        return as(account).contentType("application/json").body(run.json()).post("/api/v1/runs").then();
    }

    private void patch(UUID id, String body) {
        as(account).contentType("application/json").body(body).patch("/runs/" + id).then().statusCode(202);
    }

    private ValidatableResponse get(UUID id) {
        return as(account).get("/runs/" + id).then();
    }
}
