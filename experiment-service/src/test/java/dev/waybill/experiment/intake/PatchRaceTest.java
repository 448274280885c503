package dev.waybill.experiment.intake;

import static dev.waybill.experiment.Clients.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;

/** A run and its change that arrive at the same moment, on different connections. */
@QuarkusTest
class PatchRaceTest {

    private final Account account = Accounts.account().create();

    @Test
    void noChangeIsLostWhoeverComesFirst() throws Exception {
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
        List<Future<Integer>> answers;
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            answers = threads.invokeAll(requests);
        }

        // Then
        assertThat(answers).extracting(Future::get).containsOnly(202);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND outputs = '{\"done\": true}'"
                + " AND status = 'success'", account.workspaceId())).isEqualTo(150);
        assertThat(Rows.count("SELECT count(*) FROM trace.early_patches WHERE tenant_id = ?", account.workspaceId())).isZero();
    }

    /** Keeping the change takes another transaction, alone; the session that the first one made is not there any more. */
    @Test
    void aChangeOfARunToComeStopsNothingThatCameWithIt() {
        // Given
        TestRun there = TestRun.root();
        TestRun toCome = TestRun.root();

        // When
        int answer = send(TestForm.of(there).patch(toCome));

        // Then
        assertThat(answer).isEqualTo(202);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs JOIN trace.sessions s ON s.id = session_id WHERE runs.id = ?",
                there.id())).isEqualTo(1);
        assertThat(Rows.count("SELECT count(*) FROM trace.early_patches WHERE run_id = ?", toCome.id())).isEqualTo(1);
    }

    private int send(TestForm form) {
        return as(account).contentType(TestForm.TYPE).body(form.bytes()).post("/runs/multipart").statusCode();
    }
}
