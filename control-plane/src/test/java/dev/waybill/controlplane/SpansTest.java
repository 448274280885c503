package dev.waybill.controlplane;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.SpanCollector.CollectedSpan;
import dev.waybill.common.testing.TestTrace;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Spans sent to the operator's collector (docs/operations/observability.md "Traces"). */
@QuarkusTest
class SpansTest {

    private final TestTrace trace = TestTrace.aClient();
    private final Account account = Deployments.account();

    @Test
    void rolloutSpansLinkToCreatingRequest() {
        // When
        HttpResult created = as(account).header("traceparent", trace.header()).post(Deployments.PATH,
                Deployments.body(Deployments.newName()));

        // Then
        UUID revision = Deployments.latest(created);
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
        CollectedSpan request = trace.await("POST /v2/deployments");
        TestTrace.assertIsFirst(request);
        assertThat(request.service()).isEqualTo("control-plane");
        assertThat(request.attributes()).containsEntry("http.response.status_code", "201")
                .containsEntry("waybill.tenant_id", account.workspaceId().toString());
        for (String step : List.of("rollout resolve", "rollout build", "rollout deploy")) {
            assertThat(trace.awaitLinked(step)).as(step).satisfies(span -> {
                assertThat(span.parentId()).isEmpty();
                assertThat(span.attributes()).containsEntry("waybill.revision_id", revision.toString())
                        .containsEntry("waybill.deployment_id", created.id().toString())
                        .containsEntry("waybill.outcome", "moved");
            });
        }
    }

    @Test
    void requestLogLinesHaveTraceId() {
        // When
        HttpResult created;
        try (AuditLogCapture ignored = AuditLogCapture.listen()) {
            created = as(account).header("traceparent", trace.header()).post(Deployments.PATH,
                    Deployments.body(Deployments.newName()));
        }

        // Then
        String span = trace.await("POST /v2/deployments").spanId();
        assertThat(JsonLog.linesWith(trace.id())).isNotEmpty().allSatisfy(line -> {
            assertThat(line.at("/mdc/trace_id").textValue()).isEqualTo(trace.id());
            assertThat(line.at("/mdc/span_id").textValue()).isEqualTo(span);
            assertThat(line.at("/mdc/request_id").textValue()).isNotBlank();
        });
        assertThat(created.status()).isEqualTo(201);
    }

    @Test
    void rolloutLogLinesHaveTheirOwnTraceId() {
        // Given
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        UUID revision = Deployments.latest(created);

        // Then
        Patience.await().untilAsserted(() -> assertThat(JsonLog.linesWith(revision.toString()).stream()
                .filter(line -> line.path("message").asText().startsWith("a revision moved"))).hasSizeGreaterThan(2)
                .allSatisfy(line -> {
                    assertThat(line.at("/mdc/revision_id").textValue()).isEqualTo(revision.toString());
                    assertThat(line.at("/mdc/request_id").isMissingNode()).isTrue();
                }));
    }

    @Test
    void invalidTraceParentIsIgnoredAndUnknownPathHasNoRoute() {
        // When
        int status = RestAssured.given().header("traceparent", "00-" + trace.id() + "-0000000000000000-01")
                .header("X-Request-Id", trace.id()).get("/nothing/" + trace.id()).statusCode();

        // Then
        assertThat(status).isEqualTo(404);
        Patience.await().untilAsserted(() -> assertThat(SpanCollector.collected())
                .filteredOn(span -> trace.id().equals(span.attributes().get("waybill.request_id"))).singleElement()
                .satisfies(span -> {
                    assertThat(span.name()).isEqualTo("GET");
                    assertThat(span.traceId()).isNotEqualTo(trace.id());
                    assertThat(span.parentId()).isEmpty();
                }));
    }

    @Test
    void spansHaveNoUserDataAndHealthChecksHaveNoSpans() {
        // When
        RestAssured.get("/q/health/live").then().statusCode(200);
        as(account).header("traceparent", trace.header()).header("tracestate", "vendor=canary-of-a-state")
                .header("baggage", "user=canary-of-a-baggage")
                .post(Deployments.PATH + "?canary-of-a-query=1", "{\"name\": \"canary-of-a-body\"}");

        // Then
        trace.await("POST /v2/deployments");
        assertThat(SpanCollector.collected().toString()).doesNotContain("canary-of-", account.key(), "/q/",
                Deployments.BASE_URL);
    }
}
