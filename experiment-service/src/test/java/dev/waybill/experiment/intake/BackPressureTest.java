package dev.waybill.experiment.intake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.experiment.Clients.as;
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
import dev.waybill.experiment.Answer;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Requests that do not end hold their places; the limits are those that /info announces. */
@QuarkusTest
class BackPressureTest {

    private final Account busy = Accounts.account().create();
    private final Account other = Accounts.account().create();

    @Test
    void aWorkspaceThatHoldsAllItMayIsToldToComeBackAndOthersAreServed() throws IOException {
        // Given
        int most = RestAssured.get("/info").jsonPath().getInt("intake_limits.workspace_requests");
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < most; i++) {
                held.add(letIn());
            }

            // When
            Answer refused = Answer.toForm(busy, null, form());
            String unread = statusLine(begun(busy, 100));

            // Then
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.json().path("reason").asText()).isEqualTo("workspace_requests");
            assertThat(refused.json().path("limit").asInt()).isEqualTo(most);
            assertThat(refused.detail()).contains("Retry-After", "/info");
            assertThat(unread).contains(" 429 ");
            assertThat(Answer.toForm(other, null, form()).status()).isEqualTo(202);
            assertThat(metric("waybill_intake_requests")).isGreaterThanOrEqualTo(most);
            assertThat(metric("waybill_intake_refused_total{reason=\"workspace_requests\"}")).isGreaterThanOrEqualTo(2);
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
        await().untilAsserted(() -> assertThat(Answer.toForm(busy, null, form()).status()).isEqualTo(202));
    }

    @Test
    void whatIsAnnouncedAsTooLargeIsRefusedUnread() throws IOException {
        assertThat(statusLine(begun(other, 21 << 20))).contains(" 413 ");
    }

    @Test
    void sendersThatWaitForAWordGetIt() throws IOException {
        // Given
        String body = TestRun.json(Map.of("post", List.of()));
        Socket socket = request("/runs/batch", other, "application/json", body.length(), "Expect: 100-continue\r\n");

        try (socket) {
            // When
            BufferedReader answers = reader(socket);
            String word = answers.readLine();
            socket.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
            String blank = answers.readLine();
            String answer = answers.readLine();

            // Then
            assertThat(word).contains(" 100 ");
            assertThat(blank).isEmpty();
            assertThat(answer).contains(" 202 ");
        }
    }

    @Test
    void theLimitsAreAnnounced() {
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

    // The word that is sent says that it has its place.
    private Socket letIn() throws IOException {
        Socket socket = request("/runs/multipart", busy, TestForm.TYPE, 100, "Expect: 100-continue\r\n");
        assertThat(reader(socket).readLine()).contains(" 100 ");
        return socket;
    }

    // Its body never comes.
    private static Socket begun(Account account, int length) throws IOException {
        return request("/runs/multipart", account, TestForm.TYPE, length, "");
    }

    private static Socket request(String path, Account account, String type, int length, String more) throws IOException {
        Socket socket = new Socket("localhost", RestAssured.port);
        socket.getOutputStream().write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + account.key()
                + "\r\nContent-Type: " + type + "\r\nContent-Length: " + length + "\r\n" + more + "\r\n")
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
