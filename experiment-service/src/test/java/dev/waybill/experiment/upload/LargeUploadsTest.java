package dev.waybill.experiment.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.Patience;
import dev.waybill.experiment.Compression;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Tests bodies at and above the limit, and clients that abort. */
@QuarkusTest
class LargeUploadsTest {

    private static final int MIB = 1 << 20;

    private final Account account = Accounts.account().create();

    @Test
    void storesTenThousandRows() {
        // Given
        TestUpload upload = TestUpload.ofRows(10_000);

        // When
        RawHttpResponse response = RawHttpResponse.postUpload(account, "gzip",
                Compression.gzip(upload.json().getBytes(StandardCharsets.UTF_8)));

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/dataset/example_count").asInt()).isEqualTo(10_000);
        assertThat(Stream.of("runs", "examples", "feedback").map(this::rows)).containsOnly(10_000L);
    }

    @Test
    void returns413WithTheLimit() throws IOException {
        // Given
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        byte[] chunk = Compression.gzip(new byte[8 * MIB]);
        for (int i = 0; i < 14; i++) {
            bomb.write(chunk);
        }

        // When
        RawHttpResponse chunked = RawHttpResponse.postChunkedUpload(account, null, () -> new Blanks(101L * MIB));
        RawHttpResponse decompressed = RawHttpResponse.postUpload(account, "gzip", bomb.toByteArray());

        // Then
        for (RawHttpResponse response : new RawHttpResponse[] { chunked, decompressed }) {
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.json().path("limit_bytes").asInt()).isEqualTo(100 * MIB);
            assertThat(response.detail()).contains("104857600");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "Expect: 100-continue\r\n", "Content-Encoding: gzip\r\n" })
    void returns413ByContentLengthBeforeReading(String header) throws IOException {
        // Given
        try (Socket socket = new Socket("localhost", RestAssured.port)) {

            // When
            send(socket, 101 * MIB, header, new byte[0]);

            // Then
            String response = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(response).isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void reportsAnOversizedRow() {
        // Given
        TestUpload upload = TestUpload.ofRows(2);
        upload.rowAt(1).put("inputs", Map.of("text", "x".repeat(16 * MIB)));

        // When
        RawHttpResponse response = RawHttpResponse.postUpload(account, null, upload.json().getBytes(StandardCharsets.UTF_8));

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.json().at("/errors/0/loc").toString()).isEqualTo("[\"results\",1]");
        assertThat(rows("sessions")).isZero();
    }

    @Test
    void abortedUploadStoresNothingAndReleasesDisk() throws IOException {
        // Given
        byte[] body = TestUpload.ofRows(5000).json().getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket("localhost", RestAssured.port)) {
            send(socket, body.length, "", java.util.Arrays.copyOf(body, body.length / 2));
            Patience.await().untilAsserted(() -> assertThat(diskUsed()).isPositive());

            // When
            socket.setSoLinger(true, 0);
        }

        // Then
        Patience.await().untilAsserted(() -> assertThat(diskUsed()).isZero());
        assertThat(rows("datasets") + rows("sessions")).isZero();
    }

    @Test
    void sends100ContinueToWaitingClients() throws IOException {
        // Given
        byte[] body = TestUpload.ofRows(2).json().getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket("localhost", RestAssured.port)) {
            send(socket, body.length, "Expect: 100-continue\r\n", new byte[0]);

            // When
            String interim = new String(socket.getInputStream().readNBytes(25), StandardCharsets.US_ASCII);
            socket.getOutputStream().write(body);

            // Then
            assertThat(interim).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        }
    }

    private void send(Socket socket, int contentLength, String header, byte[] sent) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(("POST /api/v1/datasets/upload-experiment HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + account.key()
                + "\r\nContent-Type: application/json\r\n" + header + "Content-Length: " + contentLength + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(sent);
        out.flush();
    }

    private static double diskUsed() {
        return Management.get("/q/metrics").lines()
                .filter(line -> line.startsWith("waybill_upload_disk_used"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private long rows(String table) {
        return Rows.count("SELECT count(*) FROM trace." + table + " WHERE tenant_id = ?", account.workspaceId());
    }

    /** Blanks, which JSON allows in any number. */
    private static final class Blanks extends InputStream {

        private final byte[] some = " ".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);
        private long remaining;

        Blanks(long length) {
            this.remaining = length;
        }

        @Override
        public int read() {
            return remaining-- > 0 ? ' ' : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (remaining <= 0) {
                return -1;
            }
            int count = new ByteArrayInputStream(some).read(target, offset, (int) Math.min(remaining, length));
            remaining -= count;
            return count;
        }
    }
}
