package dev.waybill.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.jboss.logging.MDC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.id.Ids;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.SpanCollector;
import dev.waybill.common.testing.SpanCollector.CollectedSpan;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;

class TelemetryTest {

    private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String UNRECORDED = "00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-00";

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @AfterEach
    void forget() {
        MDC.clear();
    }

    @Test
    void startsNoSpanAndNoThreadWithoutACollector() {
        // Given
        Telemetry telemetry = telemetry(new Settings(null, 1));

        // When
        Span span = telemetry.startSpan(TraceParent.parse(CALLER), "a", SpanKind.SERVER);
        Telemetry.makeCurrent(span.getSpanContext());

        // Then
        assertThat(telemetry.isEnabled()).isFalse();
        assertThat(List.of(span, telemetry.startSpan("b", SpanKind.CLIENT), telemetry.startLinkedSpan("c", CALLER),
                telemetry.startSharedSpan(List.of(CALLER), "d", SpanKind.CLIENT)))
                .allSatisfy(none -> assertThat(none.getSpanContext().isValid()).isFalse());
        assertThat(telemetry.traceParent()).isNull();
        assertThat(MDC.getMap()).isEmpty();
        assertThat(metrics.getMeters()).isEmpty();
    }

    @Test
    void sharedSpanIsRecordedIfOneParentIs() {
        try (SpanCollector collector = new SpanCollector()) {
            // Given
            Telemetry telemetry = telemetry(new Settings(collector.address(), 1));
            String other = "00-" + "ab".repeat(16) + "-" + "cd".repeat(8);

            // When
            Span recorded = telemetry.startSharedSpan(List.of(other + "-00", CALLER, other + "-01"), "a", SpanKind.CLIENT);
            Span left = telemetry.startSharedSpan(List.of(other + "-00"), "b", SpanKind.CLIENT);
            telemetry.stop(new ShutdownEvent());

            // Then
            assertThat(recorded.getSpanContext().isSampled()).isTrue();
            assertThat(recorded.getSpanContext().getTraceId()).isEqualTo(TraceParent.parse(CALLER).getTraceId());
            assertThat(left.getSpanContext().isSampled()).isFalse();
        }
    }

    @Test
    void childSpansBelongToTheRequestAndAreSentAtShutdown() {
        try (SpanCollector collector = new SpanCollector()) {
            // Given
            Telemetry telemetry = telemetry(new Settings(collector.address(), 1));
            Span request = telemetry.startSpan(TraceParent.parse(CALLER), "POST", SpanKind.SERVER);
            Telemetry.makeCurrent(request.getSpanContext());

            // When
            telemetry.startSpan("child", SpanKind.CLIENT).end();
            String stored = telemetry.traceParent();
            request.end();
            telemetry.stop(new ShutdownEvent());

            // Then
            assertThat(stored).startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-").endsWith("-01");
            assertThat(collector.spans()).extracting(CollectedSpan::name).containsExactly("child", "POST");
            assertThat(collector.spans()).allSatisfy(span -> {
                assertThat(span.service()).isEqualTo("a-service");
                assertThat(span.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
            });
            assertThat(collector.spans().getFirst().parentId()).isEqualTo(collector.spans().getLast().spanId());
            assertThat(collector.spans().getLast().parentId()).isEqualTo("00f067aa0ba902b7");
            assertThat(count("sent")).isEqualTo(2);
        }
    }

    @Test
    void backgroundWorkHasItsOwnTraceLinkedToItsCause() {
        try (SpanCollector collector = new SpanCollector()) {
            Telemetry telemetry = telemetry(new Settings(collector.address(), 0));

            // When
            telemetry.startLinkedSpan("recorded cause", CALLER).end();
            telemetry.startLinkedSpan("cause is not recorded", UNRECORDED).end();
            telemetry.startLinkedSpan("no cause, not sampled", null).end();
            telemetry.stop(new ShutdownEvent());

            // Then
            assertThat(collector.spans()).singleElement().satisfies(span -> {
                assertThat(span.name()).isEqualTo("recorded cause");
                assertThat(span.links()).containsExactly("4bf92f3577b34da6a3ce929d0e0e4736");
                assertThat(span.traceId()).isNotEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
                assertThat(span.parentId()).isEmpty();
            });
        }
    }

    @Test
    void workRunsInItsSpanAndFailuresAreRecordedWithoutMessage() {
        try (SpanCollector collector = new SpanCollector()) {
            // Given
            Telemetry telemetry = telemetry(new Settings(collector.address(), 1));
            Span span = telemetry.startSpan(SpanContext.getInvalid(), "work", SpanKind.INTERNAL);

            // When
            Throwable thrown = telemetry.inSpan(span, () -> {
                assertThat(MDC.get("trace_id")).isEqualTo(span.getSpanContext().getTraceId());
                return Uni.createFrom().failure(new IllegalStateException("customer data"));
            }).onFailure().recoverWithItem(failure -> failure).await().indefinitely() instanceof Throwable failure ? failure
                    : null;
            telemetry.stop(new ShutdownEvent());

            // Then
            assertThat(thrown).hasMessage("customer data");
            assertThat(MDC.get("trace_id")).isNull();
            assertThat(collector.spans()).singleElement().satisfies(recorded -> {
                assertThat(recorded.status()).isEqualTo("ERROR");
                assertThat(recorded.attributes()).containsEntry("error.type", "java.lang.IllegalStateException");
                assertThat(recorded.toString()).doesNotContain("customer data");
            });
        }
    }

    @Test
    void blockedCollectorDropsAndCountsSpansWithoutBlocking() throws InterruptedException {
        // Given
        CountDownLatch exportStarted = new CountDownLatch(1);
        CompletableResultCode result = new CompletableResultCode();
        Telemetry telemetry = telemetry(new Settings(null, 1), batch -> {
            exportStarted.countDown();
            return result;
        });
        end(telemetry, 1);
        exportStarted.await();

        // When: more spans end while the export blocks
        end(telemetry, Telemetry.MAX_QUEUE_SIZE + 7);

        // Then
        assertThat(count("full")).isEqualTo(7);
        assertThat(count("sent")).isZero();

        // When: the export continues
        result.succeed();

        // Then
        Patience.await().untilAsserted(() -> assertThat(count("sent")).isEqualTo(Telemetry.MAX_QUEUE_SIZE + 1));
        telemetry.stop(new ShutdownEvent());
        assertThat(count("full")).isEqualTo(7);
    }

    @Test
    void spansArriveAtTheCollectorInBatches() {
        try (SpanCollector collector = new SpanCollector()) {
            // Given
            Telemetry telemetry = telemetry(new Settings(collector.address(), 1));

            // When
            end(telemetry, 1_000);

            // Then: without a shutdown
            Patience.await().untilAsserted(() -> assertThat(collector.spans()).hasSize(1_000));
            Patience.await().untilAsserted(() -> assertThat(count("sent")).isEqualTo(1_000));
            assertThat(count("full") + count("failed")).isZero();
            telemetry.stop(new ShutdownEvent());
        }
    }

    @Test
    @Tag("full")
    void unavailableCollectorFailsOnlyTheExport() throws IOException {
        // Given
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0)) {
            closedPort = socket.getLocalPort();
        }
        Telemetry telemetry = telemetry(new Settings(URI.create("http://127.0.0.1:" + closedPort), 1));

        // When
        end(telemetry, 3);

        // Then
        Patience.await().untilAsserted(() -> assertThat(count("failed")).isEqualTo(3));
        telemetry.stop(new ShutdownEvent());
        assertThat(count("sent") + count("full")).isZero();
    }

    @Test
    void rejectedBatchIsCounted() {
        // Given
        Telemetry telemetry = telemetry(new Settings(null, 1), batch -> CompletableResultCode.ofFailure());

        // When
        end(telemetry, 3);
        telemetry.stop(new ShutdownEvent());

        // Then
        assertThat(count("failed")).isEqualTo(3);
    }

    @Test
    void exportContinuesAfterAFailedBatch() {
        // Given
        AtomicBoolean first = new AtomicBoolean(true);
        Telemetry telemetry = telemetry(new Settings(null, 1), batch -> {
            if (first.getAndSet(false)) {
                throw new IllegalStateException("export fails");
            }
            return CompletableResultCode.ofSuccess();
        });

        // When
        end(telemetry, 1);
        Patience.await().untilAsserted(() -> assertThat(count("failed")).isEqualTo(1));
        end(telemetry, 1);

        // Then
        Patience.await().untilAsserted(() -> assertThat(count("sent")).isEqualTo(1));
        telemetry.stop(new ShutdownEvent());
    }

    @Test
    void invalidEndpointPreventsTheStart() {
        for (String address : List.of("ftp://collector", "https://user:secret@collector", "http://collector?key=secret",
                "collector:4318")) {
            assertThatThrownBy(() -> telemetry(new Settings(URI.create(address), 1))).as(address)
                    .hasMessageContaining("waybill.telemetry.endpoint").hasMessageNotContaining("secret@");
        }
        assertThatThrownBy(() -> telemetry(new Settings(URI.create("http://collector:4318"), 2)))
                .hasMessageContaining("waybill.telemetry.sample-ratio");
    }

    private static void end(Telemetry telemetry, int count) {
        IntStream.range(0, count)
                .forEach(i -> telemetry.startSpan(SpanContext.getInvalid(), "a", SpanKind.INTERNAL).end());
    }

    private double count(String outcome) {
        return metrics.get(CountingSpanExporter.SPANS).tag("outcome", outcome).meter().measure().iterator().next().getValue();
    }

    private Telemetry telemetry(Settings settings) {
        return new Telemetry(settings, new TrustedAuthorities(new Net()), metrics,
                new Ids(Clock.systemUTC()), "a-service", "1");
    }

    private Telemetry telemetry(Settings settings, Export export) {
        return new Telemetry(Telemetry.provider(settings, export, metrics, Resource.empty()));
    }

    /** An exporter that is one function. */
    private interface Export extends SpanExporter {

        CompletableResultCode send(List<SpanData> batch);

        @Override
        default CompletableResultCode export(Collection<SpanData> batch) {
            return send(List.copyOf(batch));
        }

        @Override
        default CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        default CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private record Net() implements NetConfig {

        @Override
        public boolean allowHttp() {
            return false;
        }

        @Override
        public Optional<List<String>> allowedRanges() {
            return Optional.empty();
        }

        @Override
        public Optional<Path> caCertificates() {
            return Optional.empty();
        }
    }

    private record Settings(URI address, double sampleRatio) implements TelemetryConfig {

        @Override
        public Optional<URI> endpoint() {
            return Optional.ofNullable(address);
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }
    }
}
