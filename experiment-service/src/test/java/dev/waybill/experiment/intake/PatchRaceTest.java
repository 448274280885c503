package dev.waybill.experiment.intake;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;

/** A run and its patch that arrive concurrently on different connections. */
@QuarkusTest
@Tag("full")
class PatchRaceTest {

    private final Account account = Accounts.account().create();

    @Test
    void concurrentRunsAndPatchesAreAllApplied() throws Exception {
        // Given
        List<TestRun> runs = Stream.generate(() -> TestRun.root().without("outputs", "end_time")).limit(150).toList();
        List<Callable<Integer>> requests = new ArrayList<>();
        for (TestRun run : runs) {
            requests.add(() -> send(TestForm.of(run)));
            requests.add(() -> send(new TestForm().part("patch." + run.id(), TestRun.json(Map.of(
                    "trace_id", run.id().toString(), "dotted_order", run.dottedOrder(), "end_time", 1795219772083L)))
                    .part("patch." + run.id() + ".outputs", "{\"done\": true}")));
        }

        // When
        List<Future<Integer>> responses;
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            responses = threads.invokeAll(requests);
        }

        // Then
        assertThat(responses).extracting(Future::get).containsOnly(202);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND outputs = '{\"done\": true}'"
                + " AND status = 'success'", account.workspaceId())).isEqualTo(150);
        assertThat(Rows.count("SELECT count(*) FROM trace.early_patches WHERE tenant_id = ?", account.workspaceId())).isZero();
    }

    /** Storing the patch needs a second, exclusive transaction; the session created by the first one is rolled back. */
    @Test
    void earlyPatchDoesNotBlockOtherRuns() {
        // Given
        TestRun complete = TestRun.root();
        TestRun missing = TestRun.root();

        // When
        int response = send(TestForm.of(complete).patch(missing));

        // Then
        assertThat(response).isEqualTo(202);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs JOIN trace.sessions s ON s.id = session_id WHERE runs.id = ?",
                complete.id())).isEqualTo(1);
        assertThat(Rows.count("SELECT count(*) FROM trace.early_patches WHERE run_id = ?", missing.id())).isEqualTo(1);
    }

    private int send(TestForm form) {
        return as(account).contentType(TestForm.TYPE).body(form.bytes()).post("/runs/multipart").statusCode();
    }
}
