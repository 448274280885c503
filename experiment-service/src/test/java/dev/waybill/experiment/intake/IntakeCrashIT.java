package dev.waybill.experiment.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.ExperimentSettings;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;

/** What was answered 202 survives kill -9, with the heap that the service is promised to need; against the packaged service. */
class IntakeCrashIT {

    private static final int BATCH = 20;

    private final TestDatabase database = TestDatabase.get();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<List<UUID>> answered = new ConcurrentLinkedQueue<>();
    private final Queue<List<UUID>> unanswered = new ConcurrentLinkedQueue<>();

    @Test
    void whatWasAnsweredIsThereAndTheRestIsWholeOrNotThere() throws IOException, InterruptedException {
        // Given
        database.migrate("control-plane");
        Account account = Accounts.account().create();
        int port = freePort();
        Process service = start(port);
        try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> isReady(port));
            for (int i = 0; i < 4; i++) {
                clients.execute(() -> sendUntilItBreaks(account, port));
            }
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> answered.size() > 40);

            // When
            service.destroyForcibly();
        } finally {
            service.destroyForcibly().waitFor();
        }

        // Then
        assertThat(answered).allSatisfy(batch -> assertThat(stored(account, batch)).isEqualTo(BATCH));
        assertThat(unanswered).allSatisfy(batch -> assertThat(stored(account, batch)).isIn(0L, (long) BATCH));
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
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
                answered.add(ids);
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

    private Process start(int port) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                "-Dquarkus.http.port=" + port, "-Dquarkus.http.host=localhost",
                "-Dquarkus.datasource.password=test",
                "-Dquarkus.datasource.jdbc.url=" + database.url(),
                "-Dquarkus.datasource.reactive.url=" + database.reactiveUrl()));
        new ExperimentSettings().start().forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-jar", "target/quarkus-app/quarkus-run.jar"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File("target/crash-it.log"))
                .start();
    }

    private boolean isReady(int port) throws InterruptedException {
        try {
            return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/q/health/ready")).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
