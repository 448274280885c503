package dev.waybill.experiment.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.PackagedService;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;

/** Uploads against the packaged service, in the heap that it is promised to need. */
class UploadCrashIT {

    private static final int ROWS = 40;
    private static final long MOST = 100L << 20;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Account account;

    @BeforeEach
    void somebodyHasAKey() {
        TestDatabase.get().migrate("control-plane");
        account = Accounts.account().create();
    }

    @Test
    void killedAtAnyMomentAllOfAnUploadIsThereOrNothing() {
        // Given
        Queue<UUID> answered = new ConcurrentLinkedQueue<>();
        try (PackagedService service = PackagedService.start("upload-crash-it");
                ExecutorService clients = Executors.newFixedThreadPool(3)) {
            for (int i = 0; i < 3; i++) {
                clients.execute(() -> uploadUntilItBreaks(service.port(), answered));
            }
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> answered.size() > 20);

            // When
            service.kill();
        }

        // Then
        assertThat(answered).allSatisfy(session -> assertThat(Rows.count(
                "SELECT count(*) FROM trace.runs WHERE session_id = ?", session)).isEqualTo(ROWS));
        long experiments = rows("sessions");
        assertThat(experiments).isGreaterThanOrEqualTo(answered.size());
        assertThat(List.of(rows("runs"), rows("examples"), rows("feedback"))).containsOnly(experiments * ROWS);
        assertThat(Rows.value("SELECT last_test_run_number FROM trace.datasets WHERE tenant_id = ?", account.workspaceId()))
                .isEqualTo(Long.toString(experiments));
    }

    @Test
    void theLargestBodyFitsIntoTheHeapManyTimesOverAndOneMoreByteDoesNot() throws IOException, InterruptedException {
        try (PackagedService service = PackagedService.start("upload-heap-it")) {

            // When
            HttpResponse<String> largest = upload(service.port(), MOST);
            HttpResponse<String> larger = upload(service.port(), MOST + 1);

            // Then
            assertThat(largest.statusCode()).as(largest.body()).isEqualTo(200);
            assertThat(larger.statusCode()).isEqualTo(413);
            assertThat(larger.body()).contains("\"limit_bytes\":" + MOST);
            assertThat(service.isAlive()).isTrue();
        }
        assertThat(rows("runs")).isEqualTo(largeRows());
    }

    // Rows of 64 KiB and blanks to the length that is wanted; never whole in this memory either.
    private HttpResponse<String> upload(int port, long length) throws IOException, InterruptedException {
        String whole = TestUpload.ofRows(0).json();
        String head = whole.substring(0, whole.length() - 2);
        List<InputStream> pieces = new java.util.ArrayList<>();
        pieces.add(bytes(head));
        long left = length - head.length() - 2;
        for (int i = 0; i < largeRows(); i++) {
            String row = (i == 0 ? "" : ",") + """
                    {"row_id": "%s", "inputs": {"text": "%s"}, "start_time": "2026-11-20T08:10:00Z",
                     "end_time": "2026-11-20T08:10:01Z"}""".formatted(new UUID(1, i), "x".repeat(64 << 10));
            pieces.add(bytes(row));
            left -= row.length();
        }
        pieces.add(bytes(" ".repeat((int) left)));
        pieces.add(bytes("]}"));
        HttpRequest request = request(port)
                .POST(HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers
                        .ofInputStream(() -> new SequenceInputStream(Collections.enumeration(pieces))), length))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static int largeRows() {
        return 1500;
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void uploadUntilItBreaks(int port, Queue<UUID> answered) {
        while (true) {
            TestUpload upload = TestUpload.ofRows(ROWS).with("dataset_name", "crash");
            IntStream.range(0, ROWS).forEach(i -> upload.rowAt(i).put("run_name", "row " + i));
            try {
                HttpResponse<String> answer = client.send(request(port)
                        .POST(HttpRequest.BodyPublishers.ofString(upload.json())).build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                answered.add(UUID.fromString(new com.fasterxml.jackson.databind.ObjectMapper().readTree(answer.body())
                        .at("/experiment/id").asText()));
            } catch (IOException | InterruptedException e) {
                return;
            }
        }
    }

    private HttpRequest.Builder request(int port) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/datasets/upload-experiment"))
                .header("X-Api-Key", account.key())
                .header("Content-Type", "application/json");
    }

    private long rows(String table) {
        return Rows.count("SELECT count(*) FROM trace." + table + " WHERE tenant_id = ?", account.workspaceId());
    }
}
