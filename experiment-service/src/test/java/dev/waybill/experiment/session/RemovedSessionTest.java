package dev.waybill.experiment.session;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** A removed session whose runs cannot be deleted yet, because another transaction has locked one of them. */
@QuarkusTest
class RemovedSessionTest {

    private final Account account = Accounts.account().create();
    private final TestRun run = TestRun.root().with("session_name", "gone");
    private Connection lockHolder;
    private String session;

    @BeforeEach
    void storeAndLockRun() throws SQLException {
        byte[] form = TestForm.of(run).part("attachment." + run.id() + ".a", "text/plain", new byte[] { 1 }).bytes();
        assertThat(RawHttpResponse.postForm(account, null, form).status()).isEqualTo(202);
        session = as(account).get("/sessions?name=gone").path("[0].id");
        post("/feedback", Map.of("run_id", run.id(), "key", "k", "score", 1)).then().statusCode(200);
        lockHolder = TestDatabase.get().superuser();
        lockHolder.setAutoCommit(false);
        Rows.value(lockHolder, "SELECT id FROM trace.run_places WHERE id = ? FOR UPDATE", run.id());
    }

    @AfterEach
    void releaseLock() throws SQLException {
        lockHolder.close();
    }

    @Test
    void allReadsHideTheRunsImmediately() {
        // Given
        String feedback = as(account).get("/feedback?run=" + run.id()).path("[0].id");

        // When
        as(account).delete("/sessions/" + session).then().statusCode(202);

        // Then
        as(account).get("/sessions/" + session).then().statusCode(404);
        as(account).get("/runs/" + run.id()).then().statusCode(404);
        for (Object conditions : List.of(Map.of("session", session), Map.of("id", run.id()), Map.of("trace", run.id()))) {
            post("/runs/query", conditions).then().statusCode(200).body("runs", hasSize(0));
        }
        as(account).get("/runs/" + run.id() + "/attachments").then().statusCode(404);
        as(account).get("/runs/" + run.id() + "/attachments/a").then().statusCode(404);
        as(account).get("/feedback?run=" + run.id()).then().statusCode(200).body("$", hasSize(0));
        as(account).get("/feedback/" + feedback).then().statusCode(404);
        as(account).delete("/feedback/" + feedback).then().statusCode(404);
        post("/runs", Map.of("name", "n", "run_type", "llm", "parent_run_id", run.id())).then().statusCode(422);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE id = ?", run.id())).isOne();
    }

    @Test
    void nameIsFreeImmediatelyAndIdAfterDeletion() throws SQLException {
        // When
        as(account).delete("/sessions/" + session).then().statusCode(202);

        // Then
        post("/sessions", Map.of("name", "other", "id", session)).then().statusCode(409);
        String named = post("/sessions", Map.of("name", "gone")).then().statusCode(200).extract().path("id");
        assertThat(named).isNotEqualTo(session);
        lockHolder.rollback();
        awaitRemoval();
        post("/sessions", Map.of("name", "other", "id", session)).then().statusCode(200);
    }

    @Test
    void patchesOfHiddenRunsApplyWhenTheRunIsResent() throws SQLException {
        // Given
        as(account).delete("/sessions/" + session).then().statusCode(202);

        // When
        post("/runs/batch", Map.of("patch", List.of(Map.of("id", run.id(), "trace_id", run.get("trace_id"), "dotted_order",
                run.dottedOrder(), "error", "late")))).then().statusCode(202);
        lockHolder.rollback();
        post("/runs/batch", Map.of("post", List.of(run.members()))).then().statusCode(202);
        awaitRemoval();

        // Then
        as(account).get("/runs/" + run.id()).then().statusCode(200).body("error", equalTo("late"));
    }

    @Tag("full")
    @Test
    void runsThatAreResentDuringRemovalRemain() throws SQLException {
        // Given
        lockHolder.rollback();
        List<TestRun> runs = IntStream.range(0, 50)
                .mapToObj(i -> TestRun.root().with("session_name", "again")).toList();
        Map<String, Object> batch = Map.of("post", runs.stream().map(TestRun::members).toList());
        post("/runs/batch", batch).then().statusCode(202);

        for (int round = 0; round < 5; round++) {
            String id = as(account).get("/sessions?name=again").path("[0].id");

            // When
            as(account).delete("/sessions/" + id).then().statusCode(202);
            post("/runs/batch", batch).then().statusCode(202);

            // Then
            awaitRemoval();
            assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND id = ANY (?)",
                    account.workspaceId(), runs.stream().map(TestRun::id).toArray(UUID[]::new))).isEqualTo(50);
        }
    }

    private void awaitRemoval() {
        Patience.await().until(() -> Rows.count("SELECT count(*) FROM trace.session_removals WHERE tenant_id = ?",
                account.workspaceId()) == 0);
    }

    private Response post(String path, Object body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post(path);
    }
}
