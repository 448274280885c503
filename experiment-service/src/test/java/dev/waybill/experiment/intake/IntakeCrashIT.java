package dev.waybill.experiment.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.PackagedService;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;

/** What was answered 202 survives kill -9, with the heap that the service is promised to need; against the packaged service. */
class IntakeCrashIT {

    private static final int BATCH = 20;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<List<UUID>> answered = new ConcurrentLinkedQueue<>();
    private final Queue<List<UUID>> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    @Test
    void whatWasAnsweredIsThereAndTheRestIsWholeOrNotThere() throws IOException {
        // Given
        TestDatabase.get().migrate("control-plane");
        Account account = Accounts.account().create();
        // The service closes first: clients send until it is gone, so a failed wait could never close them.
        try (ExecutorService clients = Executors.newFixedThreadPool(4);
                PackagedService service = PackagedService.start("intake-crash-it")) {
            // docs/decisions/0089: with as many as cores the first requests could silence it.
            if (!PackagedService.isBinary()) {
                assertThat(service.carriers()).isGreaterThanOrEqualTo(32);
            }
            for (int i = 0; i < 4; i++) {
                clients.execute(() -> sendUntilItBreaks(account, service.port()));
            }
            awaitAnswers(service);

            // When
            service.kill();
        }

        // Then
        assertThat(answered).allSatisfy(batch -> assertThat(stored(account, batch)).isEqualTo(BATCH));
        assertThat(unanswered).allSatisfy(batch -> assertThat(stored(account, batch)).isIn(0L, (long) BATCH));
    }

    private void awaitAnswers(PackagedService service) {
        try {
            Awaitility.await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
                assertThat(refused).isEmpty();
                assertThat(answered).hasSizeGreaterThan(40);
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(answered.size() + " were answered; " + service.threads(), e);
        }
    }

    private void sendUntilItBreaks(Account account, int port) {
        while (true) {
            List<TestRun> runs = Stream.generate(() -> TestRun.root().with("session_name", "crash")).limit(BATCH).toList();
            List<UUID> ids = runs.stream().map(TestRun::id).toList();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/runs/multipart"))
                    .header("X-Api-Key", account.key())
                    .header("Content-Type", TestForm.TYPE)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(TestForm.of(runs.toArray(TestRun[]::new)).bytes()))
                    .build();
            try {
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 202) {
                    answered.add(ids);
                } else if (answer.statusCode() == 429 || answer.statusCode() == 503) {
                    unanswered.add(ids);
                } else {
                    refused.add(answer.statusCode() + " " + answer.body());
                }
            } catch (IOException | InterruptedException e) {
                unanswered.add(ids);
                return;
            }
        }
    }

    private static long stored(Account account, List<UUID> ids) {
        return Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND id = ANY(?)", account.workspaceId(),
                ids.toArray(UUID[]::new));
    }
}
