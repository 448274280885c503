package dev.waybill.experiment.session;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class DatasetRemovalTest {

    private final Account account = Accounts.account().create();

    @Inject
    DatasetRemovalService removals;

    @Test
    void deletesADatasetWithItsExperimentsOnly() {
        // Given
        TestUpload deletedUpload = TestUpload.ofRows(3).with("summary_experiment_scores",
                List.of(Map.of("key", "all", "score", 1)));
        Response deletedExperiment = upload(deletedUpload);
        Response otherExperiment = upload(TestUpload.ofRows(2));
        String dataset = deletedExperiment.path("dataset.id");
        post("/sessions", Map.of("name", "of a client", "reference_dataset_id", dataset)).then().statusCode(200);
        post("/runs", TestRun.root().with("session_name", "of a client").members()).then().statusCode(202);
        post("/runs", TestRun.root().with("session_name", "a project").members()).then().statusCode(202);

        // When
        Response deleted = as(account).delete("/datasets/" + dataset);

        // Then
        deleted.then().statusCode(202);
        as(account).get("/datasets/" + dataset).then().statusCode(404);
        as(account).get("/sessions/" + deletedExperiment.path("experiment.id")).then().statusCode(404);
        assertThat(as(account).get("/sessions").jsonPath().getList("name"))
                .containsExactlyInAnyOrder("a project", otherExperiment.path("experiment.name"));
        await().until(() -> rows("session_removals") == 0);
        assertThat(Map.of("datasets", rows("datasets"), "examples", rows("examples"), "sessions", rows("sessions"), "runs",
                rows("runs"), "feedback", rows("feedback"), "session_removals", rows("session_removals")))
                .isEqualTo(Map.of("datasets", 1L, "examples", 2L, "sessions", 2L, "runs", 3L, "feedback", 2L,
                        "session_removals", 0L));
        upload(deletedUpload).then().statusCode(200).body("dataset.example_count", equalTo(3))
                .body("experiment.test_run_number", equalTo(1));
        as(account).delete("/datasets/" + dataset).then().statusCode(404);
    }

    @Test
    void hidesAndFinishesInterruptedRemovals() {
        // Given
        TestUpload upload = TestUpload.ofRows(2);
        String dataset = upload(upload).path("dataset.id");
        String example = as(account).get("/examples?dataset=" + dataset).path("[0].id");
        // Recently removed, so the schedule does not finish it yet.
        Rows.value("UPDATE trace.datasets SET removed_at = now() WHERE tenant_id = ?", account.workspaceId());

        // When
        List<Integer> hidden = List.of(as(account).get("/datasets/" + dataset).statusCode(),
                as(account).get("/examples/" + example).statusCode(),
                as(account).get("/examples?dataset=" + dataset).statusCode(),
                post("/examples", Map.of("dataset_id", dataset, "inputs", Map.of())).statusCode(),
                post("/sessions", Map.of("name", "e", "reference_dataset_id", dataset)).statusCode(),
                as(account).delete("/datasets/" + dataset).statusCode());
        Response sameId = upload(TestUpload.ofRows(1).without("dataset_name").with("dataset_id", dataset));
        Response sameName = post("/datasets", Map.of("name", upload.get("dataset_name")));
        Rows.value("UPDATE trace.datasets SET removed_at = now() - interval '2 minutes' WHERE tenant_id = ? AND id = ?",
                account.workspaceId(), UUID.fromString(dataset));
        removals.finishInterrupted().await().indefinitely();

        // Then
        assertThat(hidden).containsOnly(404);
        assertThat(as(account).get("/datasets").jsonPath().getList("id")).containsExactly(sameName.<Object> path("id"));
        sameId.then().statusCode(409);
        sameName.then().statusCode(200);
        assertThat(rows("datasets")).isOne();
        assertThat(rows("examples")).isZero();
        upload(TestUpload.ofRows(1).without("dataset_name").with("dataset_id", dataset)).then().statusCode(200);
    }

    @Test
    void waitingRemovalDoesNotBlockUploads() throws Exception {
        // Given
        String dataset = upload(TestUpload.ofRows(1)).path("dataset.id");
        String lock = "traces of " + account.workspaceId();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> removal;
            try (Connection upload = TestDatabase.get().superuser()) {
                upload.setAutoCommit(false);
                Rows.value(upload, "SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0))", lock);

                // When
                removal = threads.submit(() -> as(account).delete("/datasets/" + dataset).statusCode());
                await().until(() -> Rows.count("""
                        SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                            AND (classid::bigint << 32 | objid::bigint) = hashtextextended(?, 0)
                        """, lock) == 1);

                // Then
                assertThat(Rows.value(upload, "SELECT id FROM trace.datasets WHERE id = ? FOR NO KEY UPDATE NOWAIT",
                        UUID.fromString(dataset))).isEqualTo(dataset);
            }
            assertThat(removal.get()).isEqualTo(202);
        }
    }

    private Response upload(TestUpload upload) {
        return as(account).contentType("application/json").body(upload.json()).post("/api/v1/datasets/upload-experiment");
    }

    private Response post(String path, Object body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post(path);
    }

    private long rows(String table) {
        return Rows.count("SELECT count(*) FROM trace." + table + " WHERE tenant_id = ?", account.workspaceId());
    }
}
