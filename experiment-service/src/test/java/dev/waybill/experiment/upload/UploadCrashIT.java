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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.PackagedService;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;

/** Tests uploads against the packaged service with its documented heap. */
@Tag("full")
class UploadCrashIT {

    private static final int ROWS = 40;
    private static final long MAX_BODY_SIZE = 100L << 20;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Account account;

    @BeforeEach
    void createAccount() {
        TestDatabase.get().migrate("control-plane");
        account = Accounts.account().create();
    }

    @Test
    void uploadsAreAtomicWhenTheProcessIsKilled() {
        // Given
        Queue<UUID> acknowledged = new ConcurrentLinkedQueue<>();
        try (PackagedService service = PackagedService.start("upload-crash-it");
                ExecutorService clients = Executors.newFixedThreadPool(3)) {
            for (int i = 0; i < 3; i++) {
                clients.execute(() -> uploadUntilFailure(service.port(), acknowledged));
            }
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged.size() > 20);

            // When
            service.kill();
        }

        // Then
        assertThat(acknowledged).allSatisfy(session -> assertThat(Rows.count(
                "SELECT count(*) FROM trace.runs WHERE session_id = ?", session)).isEqualTo(ROWS));
        long experiments = rows("sessions");
        assertThat(experiments).isGreaterThanOrEqualTo(acknowledged.size());
        assertThat(List.of(rows("runs"), rows("examples"), rows("feedback"))).containsOnly(experiments * ROWS);
        assertThat(Rows.value("SELECT last_test_run_number FROM trace.datasets WHERE tenant_id = ?", account.workspaceId()))
                .isEqualTo(Long.toString(experiments));
    }

    @Test
    void acceptsTheLargestBodyWithASmallHeap() throws IOException, InterruptedException {
        try (PackagedService service = PackagedService.start("upload-heap-it")) {

            // When
            HttpResponse<String> largest = upload(service.port(), MAX_BODY_SIZE);
            HttpResponse<String> larger = upload(service.port(), MAX_BODY_SIZE + 1);

            // Then
            assertThat(largest.statusCode()).as(largest.body()).isEqualTo(200);
            assertThat(larger.statusCode()).isEqualTo(413);
            assertThat(larger.body()).contains("\"limit_bytes\":" + MAX_BODY_SIZE);
            assertThat(service.isAlive()).isTrue();
        }
        assertThat(rows("runs")).isEqualTo(largeRows());
    }

    // Sends rows of 64 KiB, padded with blanks to the length, without buffering the body.
    private HttpResponse<String> upload(int port, long length) throws IOException, InterruptedException {
        String complete = TestUpload.ofRows(0).json();
        String head = complete.substring(0, complete.length() - 2);
        List<InputStream> chunks = new java.util.ArrayList<>();
        chunks.add(bytes(head));
        long remaining = length - head.length() - 2;
        for (int i = 0; i < largeRows(); i++) {
            String row = (i == 0 ? "" : ",") + """
                    {"row_id": "%s", "inputs": {"text": "%s"}, "start_time": "2026-11-20T08:10:00Z",
                     "end_time": "2026-11-20T08:10:01Z"}""".formatted(new UUID(1, i), "x".repeat(64 << 10));
            chunks.add(bytes(row));
            remaining -= row.length();
        }
        chunks.add(bytes(" ".repeat((int) remaining)));
        chunks.add(bytes("]}"));
        HttpRequest request = request(port)
                .POST(HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers
                        .ofInputStream(() -> new SequenceInputStream(Collections.enumeration(chunks))), length))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static int largeRows() {
        return 1500;
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void uploadUntilFailure(int port, Queue<UUID> acknowledged) {
        while (true) {
            TestUpload upload = TestUpload.ofRows(ROWS).with("dataset_name", "crash");
            IntStream.range(0, ROWS).forEach(i -> upload.rowAt(i).put("run_name", "row " + i));
            try {
                HttpResponse<String> response = client.send(request(port)
                        .POST(HttpRequest.BodyPublishers.ofString(upload.json())).build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
                acknowledged.add(UUID.fromString(new com.fasterxml.jackson.databind.ObjectMapper().readTree(response.body())
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
