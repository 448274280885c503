package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.ExportRunFailure;
import io.smallrye.mutiny.Uni;

/** Fault F19: of concurrent status changes the first one ends the export, and all others fail. */
class ExportCompletionTest {

    private static final int ROUNDS = 6;
    private static final ExportRunFailure FAILURE = new ExportRunFailure("injected", "As the test wants it.");

    private final ExportQueue queue = new ExportQueue(Map.of("running-exports", "100"));

    @AfterEach
    void close() {
        queue.close();
    }

    @RepeatedTest(ROUNDS)
    void whileItsRunIsInProgress() throws Exception {
        // Given
        UUID workspace = queue.workspace();
        UUID export = queue.create(workspace, 2);
        Lease lease = queue.claim().getFirst();
        Attempt attempt = await(queue.parts.attempts().begin(lease));

        // When
        Set<String> won = atOnce(Map.of(
                "Cancelled", queue.service.cancel(workspace, export),
                "Failed", queue.outcomes.failRun(attempt, FAILURE),
                "TimedOut", timeOut(export),
                "run completed", queue.parts.attempts().complete(lease, List.of())));

        // Then
        String status = assertEndedOnce(export, won);
        assertThat(status).isIn("Cancelled", "Failed", "TimedOut");
        assertThat(queue.queryAll("SELECT state FROM export.runs WHERE export_id = ?", export))
                .doesNotContain("Created", "Running", "Committing")
                .contains(status.equals("TimedOut") ? "TimedOut" : "Cancelled");
    }

    @RepeatedTest(ROUNDS)
    void whileItsManifestIsWritten() throws Exception {
        // Given
        UUID workspace = queue.workspace();
        UUID export = queue.create(workspace, 1);
        queue.complete(queue.claim().getFirst());
        Lease lease = queue.claimManifest().getFirst();

        // When
        Set<String> won = atOnce(Map.of(
                "Cancelled", queue.service.cancel(workspace, export),
                "Completed", queue.outcomes.complete(lease),
                "Failed", queue.outcomes.fail(lease,
                        new ExportRunFailure("access_denied", "The credentials do not allow this operation.")),
                "TimedOut", timeOut(export)));

        // Then
        assertEndedOnce(export, won);
        assertThat(queue.queryAll("SELECT state FROM export.runs WHERE export_id = ?", export)).containsExactly("Completed");
    }

    private String assertEndedOnce(UUID export, Set<String> won) {
        String status = (String) queue.query("SELECT status FROM export.bulk_exports WHERE id = ?", export);
        // The timeout returns no result; at most one of the others succeeded.
        won.removeAll(Set.of("TimedOut", "run completed"));
        assertThat(won).isEqualTo(status.equals("TimedOut") ? Set.of() : Set.of(status));
        assertThat(queue.query("SELECT finished_at IS NOT NULL FROM export.bulk_exports WHERE id = ?", export)).isEqualTo(true);
        await(queue.outcomes.timeOut());
        assertThat(queue.query("SELECT status FROM export.bulk_exports WHERE id = ?", export)).isEqualTo(status);
        return status;
    }

    private Uni<Void> timeOut(UUID export) {
        return queue.database.everyWorkspace(connection -> connection
                .query("UPDATE export.bulk_exports SET started_at = now() - interval '25 hours' WHERE id = '" + export + "'")
                .execute())
                .chain(() -> queue.outcomes.timeOut());
    }

    /** Returns the statuses set by the calls that succeeded. */
    private static Set<String> atOnce(Map<String, Uni<?>> endings) throws Exception {
        CyclicBarrier start = new CyclicBarrier(endings.size());
        Map<String, Callable<Boolean>> calls = new LinkedHashMap<>();
        endings.forEach((name, ending) -> calls.put(name, () -> {
            start.await();
            return await(ending.replaceWith(true)
                    .onFailure(e -> e instanceof LeaseLostException || e instanceof ProblemException).recoverWithItem(false));
        }));
        Set<String> succeeded = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(endings.size())) {
            List<Entry<String, Future<Boolean>>> responses = new ArrayList<>();
            calls.forEach((name, call) -> responses.add(Map.entry(name, threads.submit(call))));
            for (Entry<String, Future<Boolean>> response : responses) {
                if (response.getValue().get()) {
                    succeeded.add(response.getKey());
                }
            }
        }
        return succeeded;
    }
}
