package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.SpanReceiver.Span;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.StackSettings;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;

/** Tests that the packaged services continue a client's trace and send their spans to a collector. */
class SpansIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String CLIENT_SPAN = "00f067aa0ba902b7";

    private final Workspace workspace = Workspace.create("spans");
    private final String trace = HexFormat.of().toHexDigits(UUID.randomUUID().getMostSignificantBits())
            + HexFormat.of().toHexDigits(UUID.randomUUID().getMostSignificantBits());

    @TempDir
    private Path folder;

    @Test
    void traceIncludesApplicationControlPlaneAndTraceStore()
            throws IOException, InterruptedException {
        try (RuntimeProcess runtime = runtime()) {
            // When
            assertThat(run(runtime)).contains("event: end");

            // Then
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(spans())
                    .extracting(Span::service, Span::kind, Span::name).containsExactlyInAnyOrder(
                            tuple("deployment-runtime", SpanKind.SPAN_KIND_SERVER, "POST /runs/stream"),
                            tuple("deployment-runtime", SpanKind.SPAN_KIND_CLIENT, "GET /v1/whoami"),
                            tuple("control-plane", SpanKind.SPAN_KIND_SERVER, "GET /v1/whoami"),
                            tuple("deployment-runtime", SpanKind.SPAN_KIND_INTERNAL, "run"),
                            tuple("deployment-runtime", SpanKind.SPAN_KIND_CLIENT, "POST /runs/batch"),
                            tuple("experiment-service", SpanKind.SPAN_KIND_SERVER, "POST /api/v1/runs/batch")));
            Span request = span(SpanKind.SPAN_KIND_SERVER, "POST /runs/stream");
            assertThat(request.parentId()).isEqualTo(CLIENT_SPAN);
            assertThat(span(SpanKind.SPAN_KIND_CLIENT, "GET /v1/whoami").parentId()).isEqualTo(request.spanId());
            assertThat(span(SpanKind.SPAN_KIND_SERVER, "GET /v1/whoami").parentId())
                    .isEqualTo(span(SpanKind.SPAN_KIND_CLIENT, "GET /v1/whoami").spanId());
            assertThat(span(SpanKind.SPAN_KIND_INTERNAL, "run").parentId()).isEqualTo(request.spanId());
            assertThat(span(SpanKind.SPAN_KIND_CLIENT, "POST /runs/batch").parentId())
                    .isEqualTo(span(SpanKind.SPAN_KIND_INTERNAL, "run").spanId());
            assertThat(span(SpanKind.SPAN_KIND_SERVER, "POST /api/v1/runs/batch").parentId())
                    .isEqualTo(span(SpanKind.SPAN_KIND_CLIENT, "POST /runs/batch").spanId());
            assertThat(spans()).filteredOn(span -> span.kind() == SpanKind.SPAN_KIND_SERVER)
                    .allSatisfy(span -> assertThat(span.text()).contains(workspace.tenantId()));
            assertThat(spans()).noneMatch(span -> span.text().contains(workspace.apiKey()) || span.text().contains("canary")
                    || span.text().contains(workspace.name()));
        }
    }

    private RuntimeProcess runtime() {
        RunningStack running = workspace.running();
        return RuntimeProcess.start(RunningStack.root(), StackSettings.sampleApplication(RunningStack.root()),
                folder.resolve("runtime.log"),
                List.of(), Map.of(
                        "waybill.runtime.access.control-plane-url", running.address(ServiceKind.CONTROL_PLANE).toString(),
                        "waybill.runtime.tracing.url", running.address(ServiceKind.EXPERIMENT).toString(),
                        "waybill.runtime.tracing.key", workspace.apiKey(),
                        "waybill.telemetry.endpoint", RunningStack.COLLECTOR.address().toString()));
    }

    private String run(RuntimeProcess runtime) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(runtime.address().resolve("/runs/stream"))
                .header("X-Api-Key", workspace.apiKey())
                .header("traceparent", "00-" + trace + "-" + CLIENT_SPAN + "-01")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "a canary"}]}}"""))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private List<Span> spans() {
        return RunningStack.COLLECTOR.of(trace);
    }

    private Span span(SpanKind kind, String name) {
        return spans().stream().filter(span -> span.kind() == kind && span.name().equals(name)).findFirst().orElseThrow();
    }
}
