package dev.waybill.experiment.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.PackagedService;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;

/**
 * Threat T15: sends many bodies concurrently that are larger in memory than the service's heap. The JVM exits when it runs
 * out of memory.
 */
@Tag("full")
class CompressionBombIT {

    private static final int SIZE = 40 << 20;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Stream<Bomb> bombs() {
        String names = "{\"experiment_metadata\": {";
        return Stream.of(
                new Bomb("nested arrays", 400, "{\"results\": ", "[", ""),
                new Bomb("nested objects", 400, "", "{\"a\":", ""),
                new Bomb("a long number", 400, "{\"results\": ", "7", "}"),
                new Bomb("a long fraction", 400, "{\"results\": [{\"inputs\": {\"a\": 0.", "3", "}}]}"),
                new Bomb("a long name", 400, "{\"", "n", "\": 1}"),
                new Bomb("many members", 400, names, "\"#\":0,         ", "\"\":0}}"),
                new Bomb("a duplicate member", 400, names, "\"a\":0,", "\"b\":0}}"),
                new Bomb("an invalid number", 400, "{\"results\": [", "NaN,", "0]}"),
                new Bomb("a long text", 400, "{\"experiment_name\": \"", "x", "\"}"),
                new Bomb("a long escaped text", 400, "{\"results\": [{\"error\": \"", "\\u0041", "\"}]}"),
                new Bomb("a long id", 400, "{\"results\": [{\"row_id\": \"", "0", "\"}]}"),
                new Bomb("large metadata", 422, "{\"experiment_metadata\": {\"a\": \"", "x", "\"}}"),
                new Bomb("a large row", 422, "{\"results\": [{\"inputs\": {\"a\": \"", "x", "\"}}]}"),
                new Bomb("rows that are not objects", 422, "{\"results\": [", "0,", "0]}"),
                new Bomb("empty rows", 422, "{\"results\": [", "{},", "{}]}"),
                new Bomb("large scores", 422, "{\"summary_experiment_scores\": [",
                        "{\"key\": \"k\", \"comment\": \"" + "c".repeat(60_000) + "\"},", "{\"key\": \"k\"}]}"),
                new Bomb("a large correction", 422,
                        "{\"summary_experiment_scores\": [{\"key\": \"k\", \"correction\": {\"a\": \"", "x",
                        "\"}}]}"),
                new Bomb("whitespace", 422, "{", " ", "}"));
    }

    @Test
    void rejectsBombsLargerThanTheHeap() throws Exception {
        // Given
        TestDatabase.get().migrate("control-plane");
        Account account = Accounts.account().create();
        try (PackagedService service = PackagedService.start("upload-bombs-it");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {

            // When
            List<Future<String>> responses = new ArrayList<>();
            bombs().forEach(
                    bomb -> responses.add(clients.submit(() -> bomb.name + " " + send(service, account, bomb.compressed()))));

            // Then
            List<String> results = new ArrayList<>();
            for (Future<String> response : responses) {
                results.add(response.get());
            }
            assertThat(results).containsExactlyElementsOf(bombs().map(bomb -> bomb.name + " " + bomb.status).toList());
            assertThat(send(service, account, new Bomb("", 200, "", TestUpload.ofRows(3).json(), "").compressed(1)))
                    .isEqualTo(200);
        }
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ?", account.workspaceId())).isEqualTo(3);
    }

    private int send(PackagedService service, Account account, byte[] compressed) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest
                .newBuilder(URI.create("http://localhost:" + service.port() + "/api/v1/datasets/upload-experiment"))
                .header("X-Api-Key", account.key())
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(compressed))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** A body that repeats {@code unit} between a beginning and an end; a {@code #} becomes a number. */
    private record Bomb(String name, int status, String beginning, String unit, String end) {

        byte[] compressed() {
            return compressed(SIZE / unit.length());
        }

        byte[] compressed(int times) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(compressed, 64 * 1024)) {
                out.write(beginning.getBytes(StandardCharsets.US_ASCII));
                byte[] unitBytes = unit.getBytes(StandardCharsets.US_ASCII);
                byte[] many = unit.repeat(Math.max(1, 8192 / unit.length())).getBytes(StandardCharsets.US_ASCII);
                boolean numbered = unit.contains("#");
                for (int remaining = times; remaining > 0;) {
                    boolean single = numbered || remaining * (long) unitBytes.length < many.length;
                    out.write(numbered ? unit.replace("#", Integer.toString(remaining)).getBytes(StandardCharsets.US_ASCII)
                            : single ? unitBytes : many);
                    remaining -= single ? 1 : many.length / unitBytes.length;
                }
                out.write(end.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return compressed.toByteArray();
        }
    }
}
