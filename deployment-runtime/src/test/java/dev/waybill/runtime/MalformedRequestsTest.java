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

/** Requests made from the description, each with one thing wrong. */
@RuntimeTest
class MalformedRequestsTest {

    /** The runtime knows no workspaces, and most members may be anything at all. */
    private static final List<String> TAKEN = List.of("X-Tenant-Id", " = {}", " input = ", "stream_mode = []",
            "overlong UTF-8");

    @Test
    void noneIsAFaultOfTheRuntimeAndNoneIsWaitedFor() {
        List<Request> requests = new MalformedRequests(OpenApi.of("deployment-runtime"),
                Map.of("run_id", Caller.ours().start(Bodies.agent("hello")), "assistant_id", "agent")).all().stream()
                .filter(request -> TAKEN.stream().noneMatch(request.name()::contains))
                .toList();

        assertThat(requests).hasSizeGreaterThanOrEqualTo(40);
        InvalidRequestChecks.assertAllRejected(URI.create("http://localhost:" + RestAssured.port), RuntimeSettings.KEY,
                requests);
    }
}
