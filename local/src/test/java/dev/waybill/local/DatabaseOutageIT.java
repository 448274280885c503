package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.local.stack.HomeDirectory;
import dev.waybill.local.stack.ServiceKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;

/**
 * Stops PostgreSQL under load for a period ({@code -Dwaybill.test.outage}, seconds). Clients receive only 503 with Retry-After,
 * acknowledged runs are stored, and an OpenTelemetry exporter delivers every span.
 */
@Tag("full")
class DatabaseOutageIT {

    /** Longer than all timeouts of connections, so that requests fail during the outage. */
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("waybill.test.outage", 35));
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int WRITERS = 4;

    private final Workspace workspace = Workspace.create("outage");
    private final RunningStack running = workspace.running();
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicInteger unavailable = new AtomicInteger();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> unexpected = new ConcurrentHashMap<>();
    private final Map<ServiceKind, Long> logged = new EnumMap<>(ServiceKind.class);

    @BeforeEach
    void countLinesOfLogs() throws IOException {
        for (ServiceKind kind : ServiceKind.apis()) {
            try (Stream<String> lines = Files.lines(log(kind))) {
                logged.put(kind, lines.count());
            }
        }
    }

    @AfterEach
    void deleteRuns() {
        workspace.deleteRuns();
    }

    @Test
    void clientsReceiveOnly503AndAcknowledgedRunsAreStored() throws Exception {
        // Given
        List<Thread> clients = Stream.concat(
                IntStream.range(0, WRITERS).mapToObj(writer -> Thread.ofVirtual().unstarted(() -> write(writer))),
                Stream.of(ServiceKind.CONTROL_PLANE, ServiceKind.EXPORT, ServiceKind.EXPERIMENT)
                        .map(kind -> Thread.ofVirtual().unstarted(() -> read(kind))))
                .toList();
        AtomicInteger spans = new AtomicInteger();
        try (SdkTracerProvider provider = provider()) {
            clients.forEach(Thread::start);
            Thread tracing = Thread.ofVirtual().start(() -> trace(provider.get("outage"), spans));
            await().atMost(TIMEOUT).until(() -> acknowledged.size() > 50 && stored("span-%").size() > 5);

            // When
            running.stack.postgres().close();
            Thread.sleep(OUTAGE);
            running.stack.postgres().restart();

            // Then
            int before = acknowledged.size();
            await().atMost(TIMEOUT).until(() -> acknowledged.size() > before + 50);
            done.set(true);
            tracing.join();
            for (Thread client : clients) {
                client.join();
            }
            assertThat(provider.forceFlush().join(TIMEOUT.toSeconds(), TimeUnit.SECONDS).isSuccess()).isTrue();
        }
        assertThat(unexpected).isEmpty();
        assertThat(unavailable).hasPositiveValue();
        assertThat(stored("run-%")).containsAll(acknowledged);
        assertThat(stored("span-%")).hasSize(spans.get());
        assertThat(failures()).isEmpty();
    }

    /** Returns the lines of the services' logs that contain errors or stack traces. */
    private List<String> failures() throws IOException {
        List<String> failures = new ArrayList<>();
        for (ServiceKind kind : ServiceKind.apis()) {
            try (Stream<String> lines = Files.lines(log(kind))) {
                lines.skip(logged.get(kind))
                        .filter(line -> line.contains(" ERROR ") || line.startsWith("\tat "))
                        .forEach(failures::add);
            }
        }
        return failures;
    }

    private Path log(ServiceKind kind) {
        return new HomeDirectory(running.directory).log(kind.module());
    }

    /** Creates an exporter with the timeout from docs/otlp.md; the default is ten seconds. */
    private SdkTracerProvider provider() {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(running.address(ServiceKind.EXPERIMENT).resolve("/otel/v1/traces").toString())
                .addHeader("X-Api-Key", workspace.apiKey())
                .setTimeout(Duration.ofMinutes(5))
                .setRetryPolicy(RetryPolicy.builder().setMaxAttempts(5).setInitialBackoff(Duration.ofSeconds(8))
                        .setMaxBackoff(Duration.ofMinutes(2)).setBackoffMultiplier(2.5).build())
                .build();
        return SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setScheduleDelay(Duration.ofMillis(200))
                        .setMaxQueueSize(100_000)
                        .setExporterTimeout(Duration.ofMinutes(5))
                        .build())
                .build();
    }

    private void trace(Tracer tracer, AtomicInteger spans) {
        while (!done.get()) {
            tracer.spanBuilder("span-" + spans.getAndIncrement()).startSpan().end();
            pause(Duration.ofMillis(20));
        }
    }

    private void write(int writer) {
        URI runs = running.address(ServiceKind.EXPERIMENT).resolve("/api/v1/runs");
        try (Http http = new Http()) {
            for (int i = 0; !done.get(); i++) {
                String name = "run-" + writer + "-" + i;
                String run = """
                        {"id": "%s", "name": "%s", "run_type": "chain", "session_name": "outage", "inputs": {},
                         "start_time": "2026-01-05T00:00:00Z"}""".formatted(UUID.randomUUID(), name);
                // Retries the same request until it is acknowledged, as clients do.
                while (!done.get() && !isDone(http.send("POST", runs, workspace.apiKey(), run), 202)) {
                    pause(Duration.ofMillis(100));
                }
                if (!done.get()) {
                    acknowledged.add(name);
                }
            }
        }
    }

    private void read(ServiceKind kind) {
        URI address = running.address(kind).resolve(switch (kind) {
            case CONTROL_PLANE -> "/v2/deployments";
            case EXPORT -> "/api/v1/bulk-exports";
            default -> "/api/v1/sessions";
        });
        try (Http http = new Http()) {
            while (!done.get()) {
                isDone(http.send("GET", address, workspace.apiKey(), null), 200);
                pause(Duration.ofMillis(50));
            }
        }
    }

    private boolean isDone(Http.Response answer, int status) {
        if (answer.status() == 503 && answer.headers().contains("retry-after")
                && answer.headers().contains("application/problem+json")) {
            unavailable.incrementAndGet();
        } else if (answer.status() != status) {
            unexpected.merge(answer.status() + " " + answer.body(), 1, Integer::sum);
        }
        return answer.status() == status;
    }

    private Set<String> stored(String name) {
        return new HashSet<>(TableText.query("SELECT name FROM trace.runs WHERE tenant_id = '" + workspace.tenantId()
                + "' AND name LIKE '" + name + "'"));
    }

    private static void pause(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
