package dev.waybill.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.InvalidRequestChecks;
import dev.waybill.common.testing.MalformedRequests;
import dev.waybill.common.testing.MalformedRequests.Request;
import dev.waybill.common.testing.OpenApi;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Requests that are generated from the OpenAPI description, each with one error. */
@QuarkusTest
class MalformedRequestsTest {

    /** Requests that are accepted for compatibility with clients although the description excludes them. */
    private static final List<String> ACCEPTED = List.of("start_time = 7", "end_time = 7", "first_token_time = 7",
            "_cost = \"6\"", "events = [", "_tokens = -1E-999999999", "GET /api/v1/info with X-Tenant-Id");

    @Test
    void malformedRequestsCauseNo5xxAndStoreNothing() {
        // Given
        Account account = Accounts.account().create();
        List<Request> requests = new MalformedRequests(
                OpenApi.of("experiment-service"), Map.of()).all().stream()
                .filter(request -> ACCEPTED.stream().noneMatch(request.name()::contains))
                .toList();

        // When / Then
        assertThat(requests).hasSizeGreaterThanOrEqualTo(100);
        InvalidRequestChecks.assertAllRejected(URI.create("http://localhost:" + RestAssured.port), account, requests, "trace");
    }
}
