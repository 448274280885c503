package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.InvalidRequestChecks;
import dev.waybill.common.testing.MalformedRequests;
import dev.waybill.common.testing.MalformedRequests.Request;
import dev.waybill.common.testing.OpenApi;
import io.restassured.RestAssured;

/** Requests generated from the OpenAPI description, each with one fault. */
@RuntimeTest
class MalformedRequestsTest {

    /** The runtime has no workspaces, and most members accept any JSON value. */
    private static final List<String> TAKEN = List.of("X-Tenant-Id", " = {}", " input = ", "stream_mode = []",
            " ttl = ", "supersteps = []", "interrupt_before = []", "interrupt_after = []", "checkpoint_during = ",
            "overlong UTF-8");

    @Test
    void malformedRequestsNeverReturn5xxOrHang() {
        List<Request> requests = new MalformedRequests(OpenApi.of("deployment-runtime"),
                Map.of("run_id", Caller.authorized().start(Bodies.agent("hello")), "assistant_id", "agent")).all().stream()
                .filter(request -> TAKEN.stream().noneMatch(request.name()::contains))
                .toList();

        assertThat(requests).hasSizeGreaterThanOrEqualTo(40);
        InvalidRequestChecks.assertAllRejected(URI.create("http://localhost:" + RestAssured.port), RuntimeSettings.KEY,
                requests);
    }
}
