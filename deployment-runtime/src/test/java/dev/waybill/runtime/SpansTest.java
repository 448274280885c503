package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpServer;

import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.SpanCollector.CollectedSpan;
import dev.waybill.common.testing.TestTrace;
import io.restassured.RestAssured;

/**
 * Spans that are exported to the operator's collector (docs/operations/observability.md "Traces"), and propagation of the trace
 * context.
 */
@RuntimeTest
class SpansTest {

    private final TestTrace trace = TestTrace.aClient();
    private final String key = "issued-" + UUID.randomUUID();

    // Otherwise the delivery could contain runs of earlier tests and belong to the first one's trace.
    @BeforeEach
    void awaitDeliveryOfEarlierRuns() {
        Patience.await().until(() -> Management.get("/q/metrics").lines()
                .anyMatch(line -> line.startsWith("waybill_runtime_traces_queue_bytes") && line.endsWith(" 0.0")));
    }

    @Test
    void runKeyCheckAndTraceDeliveryJoinClientTrace() {
        // When
        stream(Bodies.agent("a canary of a body"));

        // Then
        CollectedSpan request = trace.await("POST /runs/stream");
        TestTrace.assertIsFirst(request);
        CollectedSpan check = trace.await("GET /v1/whoami");
        CollectedSpan run = trace.await("run");
        CollectedSpan delivery = trace.await("POST /runs/batch");
        assertThat(List.of(check.parentId(), run.parentId())).containsOnly(request.spanId());
        assertThat(delivery.parentId()).isEqualTo(run.spanId());
        assertThat(List.of(check.kind(), delivery.kind())).containsOnly("CLIENT");
        assertThat(run.attributes()).containsEntry("waybill.outcome", "success").containsKey("waybill.run_id");
        assertThat(delivery.attributes()).containsEntry("waybill.outcome", "accepted");
        assertThat(ControlPlaneStub.traceParentsOf(key)).contains("00-" + trace.id() + "-" + check.spanId() + "-01");
        assertThat(store()).contains("00-" + trace.id() + "-" + delivery.spanId() + "-01");
        assertThat(SpanCollector.collected().toString()).doesNotContain("canary", key, RuntimeSettings.KEY);
    }

    @Test
    void webhookRequestsCarryNoTraceContext() throws IOException {
        // Given
        List<List<String>> headers = new CopyOnWriteArrayList<>();
        HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/", exchange -> {
            headers.add(List.copyOf(exchange.getRequestHeaders().keySet()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        hook.start();
        try {
            // When
            stream(Bodies.agent("hello", "\"webhook\": \"http://127.0.0.1:" + hook.getAddress().getPort() + "/\""));

            // Then
            Patience.await().until(() -> !headers.isEmpty());
            assertThat(headers.getFirst()).contains("Content-type").doesNotContain("Traceparent", "Tracestate", "Baggage",
                    "B3");
        } finally {
            hook.stop(0);
        }
    }

    @Test
    void logLinesCarryTraceIdsOnWorkerThreads() {
        // When
        stream(Bodies.misbehaving("speak-and-fail"));

        // Then
        CollectedSpan run = trace.await("run");
        assertThat(run.status()).isEqualTo("ERROR");
        Patience.await().untilAsserted(() -> assertThat(JsonLog.linesWith(trace.id())).anySatisfy(line -> {
            assertThat(line.path("message").asText()).startsWith("run failed");
            assertThat(line.at("/mdc/run_id").textValue()).isEqualTo(run.attributes().get("waybill.run_id"));
            assertThat(line.at("/mdc/span_id").textValue()).isEqualTo(run.spanId());
            assertThat(line.at("/mdc/tenant_id").textValue()).isEqualTo(ControlPlaneStub.WORKSPACE);
        }));
    }

    private void stream(String body) {
        RestAssured.given().header("X-Api-Key", key).header("traceparent", trace.header()).contentType("application/json")
                .body(body).post("/runs/stream").then().statusCode(200);
    }

    private static String store() {
        return RestAssured.get(ConfigProvider.getConfig().getValue("waybill.runtime.tracing.url", String.class) + "/traces")
                .asString();
    }
}
