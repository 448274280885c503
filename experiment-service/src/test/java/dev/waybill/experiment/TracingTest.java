package dev.waybill.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.SpanCollector.CollectedSpan;
import dev.waybill.common.testing.TestTrace;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Spans that the service exports to the operator's collector (docs/operations/observability.md "Traces"). */
@QuarkusTest
class TracingTest {

    private final TestTrace trace = TestTrace.aClient();
    private final Account account = Accounts.account().create();

    @Test
    void intakeContinuesTheClientsTraceWithoutCustomerData() {
        // When
        AuditLogCapture audit = AuditLogCapture.listen();
        RestAssured.given().header("X-Api-Key", account.key()).header("traceparent", trace.header())
                .contentType("application/json").body("""
                        {"post": [{"id": "%1$s", "trace_id": "%1$s", "dotted_order": "20260105T000000000000Z%1$s",
                            "name": "canary", "run_type": "chain", "session_name": "canary",
                            "start_time": "2026-01-05T00:00:00Z", "inputs": {"a": "canary"}}], "patch": []}"""
                        .formatted(UUID.randomUUID()))
                .post("/runs/batch").then().statusCode(202);
        audit.close();

        // Then
        CollectedSpan request = trace.await("POST /api/v1/runs/batch");
        TestTrace.assertIsFirst(request);
        assertThat(request.service()).isEqualTo("experiment-service");
        assertThat(request.attributes()).containsEntry("http.response.status_code", "202")
                .containsEntry("waybill.tenant_id", account.workspaceId().toString());
        assertThat(SpanCollector.collected().toString()).doesNotContain("canary", account.key());
        assertThat(JsonLog.linesWith(trace.id())).isNotEmpty().allSatisfy(line -> {
            assertThat(line.at("/mdc/span_id").textValue()).isEqualTo(request.spanId());
            assertThat(line.at("/mdc/tenant_id").textValue()).isEqualTo(account.workspaceId().toString());
            assertThat(line.at("/mdc/request_id").textValue()).isEqualTo(request.attributes().get("waybill.request_id"));
        });
    }
}
