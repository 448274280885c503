package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;

/** PostgreSQL cancels the queries of clients that have disconnected; a lock makes the queries wait until then. */
@QuarkusTest
class AbandonedRequestTest {

    /** More than the connections of the pool. */
    private static final int CLIENTS = 20;

    private final Account account = Accounts.account().create();
    private final List<String> experiments = new ArrayList<>();
    private String dataset;

    @BeforeEach
    void uploadTwo() {
        TestUpload upload = TestUpload.ofRows(5).with("dataset_name", "abandoned");
        for (String name : List.of("first", "second")) {
            Response response = as(account).contentType("application/json").body(upload.with("experiment_name", name).json())
                    .post("/api/v1/datasets/upload-experiment");
            dataset = response.path("dataset.id");
            experiments.add(response.path("experiment.id"));
        }
    }

    static Stream<AbandonedRequest> requests() {
        return Stream.of(
                new AbandonedRequest("POST", "datasets/%s/comparison", Map.of("parts", List.of("summary"))),
                new AbandonedRequest("POST", "datasets/%s/comparison",
                        Map.of("parts", List.of("rows"), "feedback_key", "correctness", "sort", "difference")),
                new AbandonedRequest("POST", "datasets/%s/comparison",
                        Map.of("parts", List.of("distribution"), "feedback_key", "correctness")),
                new AbandonedRequest("POST", "datasets/%s/comparison?format=csv", Map.of()),
                new AbandonedRequest("POST", "datasets/%s/gate", Map.of("max_drop", 0.5)),
                new AbandonedRequest("GET", "sessions?include_stats=true", Map.of()));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void disconnectCancelsTheQuery(AbandonedRequest request) throws Exception {
        // Given
        try (Connection lock = lockFeedback()) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(send(request));
            }
            Patience.await().until(() -> waitingQueries() > 1);

            // When
            for (Socket client : clients) {
                client.close();
            }

            // Then
            Patience.await().untilAsserted(() -> assertThat(waitingQueries()).isZero());
            as(account).get("/api/v1/datasets/" + dataset).then().statusCode(200);
            assertThat(waitingQueries()).isZero();
            lock.rollback();
        }
        as(account).contentType("application/json").body(body(request)).request(request.method(), path(request)).then()
                .statusCode(200);
    }

    private static Connection lockFeedback() throws SQLException {
        Connection connection = TestDatabase.get().superuser();
        connection.setAutoCommit(false);
        Rows.value(connection, "LOCK TABLE trace.feedback IN ACCESS EXCLUSIVE MODE");
        return connection;
    }

    private static long waitingQueries() {
        return Rows.count("""
                SELECT count(*) FROM pg_stat_activity
                WHERE usename = 'waybill_experiment' AND wait_event_type = 'Lock' AND query ~ '^WITH [rf] AS'
                """);
    }

    private Socket send(AbandonedRequest request) throws IOException {
        byte[] body = body(request).getBytes(StandardCharsets.UTF_8);
        Socket socket = new Socket("localhost", RestAssured.port);
        socket.getOutputStream()
                .write((request.method() + " " + path(request) + " HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + account.key()
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(body);
        return socket;
    }

    private String path(AbandonedRequest request) {
        return "/api/v1/" + request.path().formatted(dataset);
    }

    private String body(AbandonedRequest request) {
        Map<String, Object> members = new HashMap<>(request.members());
        boolean isGate = request.path().endsWith("gate");
        members.put("experiment_ids", isGate ? List.of(experiments.getLast()) : experiments);
        members.put("baseline_experiment_id", experiments.getFirst());
        return TestRun.json(members);
    }

    record AbandonedRequest(String method, String path, Map<String, Object> members) {

        @Override
        public String toString() {
            return method + " " + path + " " + members;
        }
    }
}
