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

/** Requests made from the description, each with one thing wrong. */
@QuarkusTest
class MalformedRequestsTest {

    @Test
    void noneIsAFaultOfTheServiceAndNoneLeavesARowBehind() {
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
