package dev.waybill.experiment.upload;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Fault F29 and similar: the result of concurrent uploads does not depend on their order. */
@QuarkusTest
class ConcurrentUploadsTest {

    private final Account account = Accounts.account().create();

    @Test
    void concurrentUploadsCreateOneDataset() throws Exception {
        // Given
        List<String> bodies = Stream.generate(() -> TestUpload.ofRows(3).with("dataset_name", "one name").json()).limit(50)
                .toList();

        // When
        List<Response> responses = uploadConcurrently(bodies, null);

        // Then
        assertThat(responses).extracting(Response::statusCode).containsOnly(200);
        assertThat(responses).extracting(response -> response.<String> path("dataset.id")).hasSize(50)
                .containsOnly(responses.getFirst().<String> path("dataset.id"));
        assertThat(responses).extracting(response -> response.<Integer> path("experiment.test_run_number"))
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 50).boxed().toList());
        assertThat(rows("datasets")).isOne();
        assertThat(rows("sessions")).isEqualTo(50);
        assertThat(rows("runs")).isEqualTo(150);
        assertThat(rows("feedback")).isEqualTo(150);
    }

    @Test
    void numbersUploadsAndSessionsTogether() throws Exception {
        // Given
        String dataset = uploadConcurrently(List.of(TestUpload.ofRows(1).with("dataset_name", "shared").json()), null)
                .getFirst()
                .path("dataset.id");
        List<Callable<Response>> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String upload = TestUpload.ofRows(1).with("dataset_name", "shared").json();
            String session = "{\"name\": \"client's " + i + "\", \"reference_dataset_id\": \"" + dataset + "\"}";
            requests.add(() -> as(account).contentType("application/json").body(upload)
                    .post("/api/v1/datasets/upload-experiment"));
            requests.add(() -> as(account).contentType("application/json").body(session).post("/api/v1/sessions"));
        }

        // When
        List<Response> responses = callConcurrently(requests);

        // Then
        assertThat(responses).extracting(Response::statusCode).containsOnly(200);
        assertThat(Rows.value("SELECT string_agg(test_run_number::text, ' ' ORDER BY test_run_number) FROM trace.sessions"
                + " WHERE tenant_id = ?", account.workspaceId()))
                .isEqualTo(IntStream.rangeClosed(1, 21).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
    }

    @Test
    void concurrentUploadsOfOneNameStoreOne() throws Exception {
        // Given
        List<String> bodies = Stream.generate(() -> TestUpload.ofRows(1).with("dataset_name", "d").with("experiment_name", "e")
                .json()).limit(8).toList();

        // When
        List<Response> responses = uploadConcurrently(bodies, null);

        // Then
        assertThat(responses).extracting(Response::statusCode).containsOnlyOnce(200).containsOnly(200, 409);
        assertThat(rows("runs")).isOne();
    }

    @Test
    void concurrentRequestsWithOneKeyStoreOne() throws Exception {
        // Given
        String body = TestUpload.ofRows(2).json();

        // When
        List<Response> responses = uploadConcurrently(Stream.generate(() -> body).limit(8).toList(), "one-key");
        Response later = uploadConcurrently(List.of(body), "one-key").getFirst();

        // Then
        assertThat(responses).extracting(Response::statusCode).contains(200).isSubsetOf(200, 409);
        assertThat(responses.stream().filter(response -> response.statusCode() == 200))
                .extracting(response -> response.<String> path("experiment.id"))
                .containsOnly(later.then().statusCode(200).extract().<String> path("experiment.id"));
        assertThat(rows("sessions")).isOne();
        assertThat(rows("runs")).isEqualTo(2);
    }

    @Test
    void sameRowsInDifferentDatasetsDoNotDeadlock() throws Exception {
        // Given
        TestUpload upload = TestUpload.ofRows(20);
        List<String> bodies = Stream.generate(() -> upload.with("dataset_name", "d " + UUID.randomUUID()).json()).limit(8)
                .toList();

        // When
        List<Response> responses = uploadConcurrently(bodies, null);

        // Then
        assertThat(responses).extracting(Response::statusCode).containsOnly(200);
        assertThat(rows("examples")).isEqualTo(160);
        assertThat(Rows.count("SELECT count(*) FROM trace.examples WHERE tenant_id = ? AND id = row_id",
                account.workspaceId())).isEqualTo(20);
    }

    private List<Response> uploadConcurrently(List<String> bodies, String key) throws Exception {
        return callConcurrently(bodies.stream().<Callable<Response>> map(body -> () -> {
            var request = as(account).contentType("application/json").body(body);
            return (key == null ? request : request.header("Idempotency-Key", key))
                    .post("/api/v1/datasets/upload-experiment");
        }).toList());
    }

    private static List<Response> callConcurrently(List<Callable<Response>> requests) throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Response> responses = new ArrayList<>();
            for (Future<Response> response : clients.invokeAll(requests)) {
                responses.add(response.get());
            }
            return responses;
        }
    }

    private long rows(String table) {
        return Rows.count("SELECT count(*) FROM trace." + table + " WHERE tenant_id = ?", account.workspaceId());
    }
}
