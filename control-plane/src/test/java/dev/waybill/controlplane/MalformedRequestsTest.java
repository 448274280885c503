package dev.waybill.controlplane;

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

    @Test
    void malformedRequestsCauseNo5xxAndStoreNoRows() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        List<Request> requests = new MalformedRequests(
                OpenApi.of("control-plane"), Map.of()).all();

        // When / Then
        assertThat(requests).hasSizeGreaterThanOrEqualTo(100);
        InvalidRequestChecks.assertAllRejected(URI.create("http://localhost:" + RestAssured.port), admin, requests, "account",
                "deploy");
    }
}
