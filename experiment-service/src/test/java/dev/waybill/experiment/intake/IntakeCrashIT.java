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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.PackagedService;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;

/** Acknowledged batches survive kill -9 of the packaged service with its documented heap. */
@Tag("full")
class IntakeCrashIT {

    private static final int BATCH = 20;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<List<UUID>> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<List<UUID>> unacknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<String> failed = new ConcurrentLinkedQueue<>();

    @Test
    void acknowledgedBatchesSurviveKillAndOthersAreAtomic() throws IOException {
        // Given
        TestDatabase.get().migrate("control-plane");
        Account account = Accounts.account().create();
        // The service closes first: clients send until their connection fails, so they would never finish before.
        try (ExecutorService clients = Executors.newFixedThreadPool(4);
                PackagedService service = PackagedService.start("intake-crash-it")) {
            // docs/decisions/0089: with as many carrier threads as cores, the first requests could block the service.
            if (!PackagedService.isBinary()) {
                assertThat(service.carriers()).isGreaterThanOrEqualTo(32);
            }
            for (int i = 0; i < 4; i++) {
                clients.execute(() -> sendUntilFailure(account, service.port()));
            }
            awaitResponses(service);

            // When
            service.kill();
        }

        // Then
        assertThat(acknowledged).allSatisfy(batch -> assertThat(stored(account, batch)).isEqualTo(BATCH));
        assertThat(unacknowledged).allSatisfy(batch -> assertThat(stored(account, batch)).isIn(0L, (long) BATCH));
    }

    private void awaitResponses(PackagedService service) {
        try {
            Awaitility.await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
                assertThat(failed).isEmpty();
                assertThat(acknowledged).hasSizeGreaterThan(40);
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(acknowledged.size() + " were acknowledged; " + service.dumpThreads(), e);
        }
    }

    private void sendUntilFailure(Account account, int port) {
        while (true) {
            List<TestRun> runs = Stream.generate(() -> TestRun.root().with("session_name", "crash")).limit(BATCH).toList();
            List<UUID> ids = runs.stream().map(TestRun::id).toList();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/runs/multipart"))
                    .header("X-Api-Key", account.key())
                    .header("Content-Type", TestForm.TYPE)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(TestForm.of(runs.toArray(TestRun[]::new)).bytes()))
                    .build();
            try {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == 202) {
                    acknowledged.add(ids);
                } else if (response.statusCode() == 429 || response.statusCode() == 503) {
                    unacknowledged.add(ids);
                } else {
                    failed.add(response.statusCode() + " " + response.body());
                }
            } catch (IOException | InterruptedException e) {
                unacknowledged.add(ids);
                return;
            }
        }
    }

    private static long stored(Account account, List<UUID> ids) {
        return Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND id = ANY(?)", account.workspaceId(),
                ids.toArray(UUID[]::new));
    }
}
