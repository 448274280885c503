package dev.waybill.export;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.SpanCollector.CollectedSpan;
import dev.waybill.common.testing.TestTrace;
import dev.waybill.export.storage.FaultProxy;
import io.restassured.response.Response;

/**
 * Tests the spans sent to the operator's collector (docs/operations/observability.md "Traces"), and that stores receive
 * no trace headers.
 */
@ExportServiceTest
class SpansTest {

    private final TestTrace trace = TestTrace.aClient();

    @Test
    void runSpansLinkToTheRequestAndStoreGetsNoTrace() {
        try (FaultProxy store = FaultProxy.before(Bucket.endpoint())) {
            // Given
            Exports exports = Exports.through(store.endpoint());
            Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);

            // When
            Response ordered = exports.client().post(Client.EXPORTS,
                    exports.order(MONDAY, MONDAY.plus(Duration.ofDays(1)), ""), "traceparent", trace.header());
            UUID export = UUID.fromString(ordered.path("id"));
            exports.awaitStatus(export, "Completed");

            // Then
            TestTrace.assertIsFirst(trace.await("POST /api/v1/bulk-exports"));
            CollectedSpan run = trace.awaitLinked("export run");
            assertThat(run.service()).isEqualTo("export-service");
            assertThat(run.attributes()).containsEntry("waybill.export_id", export.toString())
                    .containsEntry("waybill.tenant_id", exports.tenantId().toString())
                    .containsEntry("waybill.outcome", "completed").containsEntry("waybill.rows", "100");
            // The line is logged after the run's row has changed, possibly after the export's row.
            Patience.await().until(() -> !linesOf(export).isEmpty());
            assertThat(linesOf(export)).singleElement().satisfies(line -> {
                assertThat(line.at("/mdc/trace_id").textValue()).isEqualTo(run.traceId());
                assertThat(line.at("/mdc/span_id").textValue()).isEqualTo(run.spanId());
                assertThat(line.at("/mdc/run_id").textValue()).isEqualTo(run.attributes().get("waybill.run_id"));
                assertThat(line.at("/mdc/request_id").isMissingNode()).isTrue();
            });
            assertThat(store.calls()).isNotEmpty();
            assertThat(store.headers()).contains("authorization").doesNotContain("traceparent", "tracestate", "baggage", "b3");
            assertThat(SpanCollector.collected().toString()).doesNotContain(exports.client().account().key(), exports.prefix(),
                    ExportSettings.OLD_KEY, store.endpoint().getAuthority());
            assertThat(SpanCollector.collected()).flatExtracting(span -> span.attributes().values())
                    .doesNotContain(String.valueOf(store.endpoint().getPort()));
        }
    }

    private static List<JsonNode> linesOf(UUID export) {
        return JsonLog.linesWith(export.toString()).stream()
                .filter(line -> line.path("message").asText().startsWith("attempt ended"))
                .toList();
    }
}
