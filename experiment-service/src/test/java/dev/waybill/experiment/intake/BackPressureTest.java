package dev.waybill.experiment.intake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Management;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Unfinished requests count towards the limits that /info returns. */
@QuarkusTest
class BackPressureTest {

    private final Account busy = Accounts.account().create();
    private final Account other = Accounts.account().create();

    @Test
    void returns429OnlyToTheWorkspaceAtItsLimit() throws IOException {
        // Given
        int limit = RestAssured.get("/info").jsonPath().getInt("intake_limits.workspace_requests");
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < limit; i++) {
                sockets.add(admitted());
            }

            // When
            RawHttpResponse rejected = RawHttpResponse.postForm(busy, null, form());
            String rejectedUnread = statusLine(sendHeaders(busy, 100));

            // Then
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(rejected.header("Retry-After")).isEqualTo("1");
            assertThat(rejected.json().path("reason").asText()).isEqualTo("workspace_requests");
            assertThat(rejected.json().path("limit").asInt()).isEqualTo(limit);
            assertThat(rejected.detail()).contains("Retry-After", "/info");
            assertThat(rejectedUnread).contains(" 429 ");
            assertThat(RawHttpResponse.postForm(other, null, form()).status()).isEqualTo(202);
            assertThat(metric("waybill_intake_requests")).isGreaterThanOrEqualTo(limit);
            assertThat(metric("waybill_intake_rejected_total{reason=\"workspace_requests\"}")).isGreaterThanOrEqualTo(2);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        await().untilAsserted(() -> assertThat(RawHttpResponse.postForm(busy, null, form()).status()).isEqualTo(202));
    }

    @Test
    void returns413ByContentLengthBeforeReading() throws IOException {
        assertThat(statusLine(sendHeaders(other, 21 << 20))).contains(" 413 ");
    }

    @Test
    void sends100ContinueToWaitingClients() throws IOException {
        // Given
        String body = TestRun.json(Map.of("post", List.of()));
        Socket socket = request("/runs/batch", other, "application/json", body.length(), "Expect: 100-continue\r\n");

        try (socket) {
            // When
            BufferedReader responses = reader(socket);
            String interim = responses.readLine();
            socket.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
            String blank = responses.readLine();
            String response = responses.readLine();

            // Then
            assertThat(interim).contains(" 100 ");
            assertThat(blank).isEmpty();
            assertThat(response).contains(" 202 ");
        }
    }

    @Test
    void infoReturnsTheLimits() {
        RestAssured.get("/info").then()
                .body("intake_limits.requests", equalTo(256))
                .body("intake_limits.workspace_requests", equalTo(192))
                .body("intake_limits.memory_bytes", equalTo(96 << 20))
                .body("intake_limits.workspace_memory_bytes", equalTo(72 << 20))
                .body("intake_limits.unpacked_bytes", equalTo(64 << 20))
                .body("intake_limits.attachment_bytes", equalTo(20 << 20))
                .body("intake_limits.spans", equalTo(10_000))
                .body("intake_limits.retry_after_seconds", equalTo(1));
        as(other).get("/api/v1/info").then().statusCode(200);
    }

    private static byte[] form() {
        return TestForm.of(TestRun.root()).bytes();
    }

    // The interim response shows that the request was admitted.
    private Socket admitted() throws IOException {
        Socket socket = request("/runs/multipart", busy, TestForm.TYPE, 100, "Expect: 100-continue\r\n");
        assertThat(reader(socket).readLine()).contains(" 100 ");
        return socket;
    }

    // Sends no body.
    private static Socket sendHeaders(Account account, int length) throws IOException {
        return request("/runs/multipart", account, TestForm.TYPE, length, "");
    }

    private static Socket request(String path, Account account, String type, int length, String extraHeaders)
            throws IOException {
        Socket socket = new Socket("localhost", RestAssured.port);
        socket.getOutputStream().write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + account.key()
                + "\r\nContent-Type: " + type + "\r\nContent-Length: " + length + "\r\n" + extraHeaders + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        try (socket) {
            return reader(socket).readLine();
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static double metric(String name) {
        return Management.get("/q/metrics").lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }
}
