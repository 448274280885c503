package dev.waybill.runtime.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.application.Application;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.TraceStoreStub;
import dev.waybill.runtime.tracing.TraceStoreClient.Result;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Delivery of traces to a store that is available, unavailable, slow, or rejects them. */
class TracingTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration BATCH_DELAY = Duration.ofMillis(20);
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(5);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final TraceStoreStub store = new TraceStoreStub();
    private final List<Tracing> started = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        store.close();
        for (Tracing tracing : started) {
            tracing.stop(new ShutdownEvent());
        }
        vertx.close();
    }

    @Test
    void runsAreSentInBatchesToApplicationsSession() {
        Tracing tracing = start(Map.of());

        trace(tracing, 250, "agent");

        Patience.await().until(() -> sent() == 250);
        assertThat(store.rows()).hasSize(250)
                .allSatisfy(row -> assertThat(row.get("session_name").textValue()).isEqualTo("shop"));
        assertThat(store.batches()).allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(100));
        assertThat(store.key()).isEqualTo("secret-key");
        Patience.await().until(() -> used() == 0);
        assertThat(dropped()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = { "half", "429", "500", "503" })
    void failingStoreIsRetried(String trouble) {
        store.mode(trouble);
        Tracing tracing = start(Map.of());

        trace(tracing, 3, "agent");
        Patience.await().until(() -> store.requestCount() > 0);
        store.mode("ok");

        Patience.await().until(() -> sent() == 3);
        assertThat(dropped()).isZero();
    }

    @Test
    void batchIsDroppedAfterRetryTimeout() {
        Tracing tracing = start(Map.of("url", "http://127.0.0.1:1/api/v1/"),
                new Tracing.Timeouts(BATCH_DELAY, HOUR, Duration.ofMillis(100), FLUSH_TIMEOUT));

        trace(tracing, 3, "agent");
        Patience.await().until(() -> used() == 0);

        assertThat(dropped("given_up")).isEqualTo(3);
    }

    @Test
    void invalidRunDropsOnlyItself() {
        store.mode("picky");
        Tracing tracing = start(Map.of());

        trace(tracing, 20, "agent");
        trace(tracing, 1, "bad");
        trace(tracing, 20, "agent");

        Patience.await().until(() -> used() == 0);
        assertThat(store.rows()).hasSize(40).noneMatch(row -> row.get("name").textValue().equals("bad"));
        assertThat(sent()).isEqualTo(40);
        assertThat(dropped("refused")).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = { "401", "404" })
    void permanentRejectionDropsImmediately(String refusal) {
        store.mode(refusal);
        Tracing tracing = start(Map.of());

        trace(tracing, 50, "agent");

        Patience.await().until(() -> used() == 0);
        assertThat(dropped("refused")).isEqualTo(50);
        assertThat(store.batches().stream().mapToInt(Integer::intValue).sum()).isEqualTo(50);
    }

    @Test
    void hangingStoreNeverBlocksAndExcessIsCounted() {
        // Given
        store.mode("hang");
        Tracing tracing = start(Map.of("max-queue-size", "64K"));
        trace(tracing, 1, "first");
        Patience.await().until(() -> store.hanging() == 1);

        // When: far more than fits into the queue is added while the store does not respond
        trace(tracing, 5_000, "agent");

        // Then
        assertThat(store.hanging()).isOne();
        assertThat(dropped("full")).isBetween(4_000.0, 4_999.0);
        assertThat(used()).isLessThanOrEqualTo(64 << 10);
        store.mode("ok");
        Patience.await().until(() -> sent() + dropped() == 5_001);
        assertThat(store.rows()).hasSize((int) sent());
    }

    @Test
    void remainingTracesAreSentAtShutdown() throws InterruptedException {
        Tracing tracing = start(Map.of(), new Tracing.Timeouts(HOUR, HOUR, HOUR, Duration.ofMinutes(2)));
        trace(tracing, 5, "agent");

        tracing.stop(new ShutdownEvent());

        assertThat(store.rows()).hasSize(5);
        trace(tracing, 1, "late");
        assertThat(dropped("shutdown")).isOne();
    }

    @Test
    void hangingStoreDoesNotBlockShutdown() throws InterruptedException {
        store.mode("hang");
        Tracing tracing = start(Map.of(), new Tracing.Timeouts(BATCH_DELAY, HOUR, HOUR, Duration.ofMillis(100)));
        trace(tracing, 5, "agent");
        Patience.await().until(() -> store.hanging() == 1);
        trace(tracing, 2, "agent");

        tracing.stop(new ShutdownEvent());

        Patience.await().until(() -> dropped("shutdown") == 7);
    }

    @Test
    void nothingIsTracedWithoutUrl() {
        Tracing tracing = start(Map.of("url", ""));

        assertThat(tracing.newTrace(TracedFixture.run("agent", "{}"))).isSameAs(RunTrace.NONE);
        assertThat(RunTrace.NONE.stepBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = { "ftp://127.0.0.1/", "127.0.0.1:8082", "http://user:key@127.0.0.1/", "http:///x" })
    void invalidUrlFailsAtStartup(String address) {
        assertThatThrownBy(() -> start(Map.of("url", address)))
                .hasMessageContaining("waybill.runtime.tracing.url").hasMessageNotContaining("user:key");
    }

    @Test
    void backoffGrowsWithJitterAndHonoursRetryAfter() {
        for (int attempt = 1; attempt <= 60; attempt++) {
            Duration max = Duration.ofMillis(Math.min(30_000, 500L << Math.min(attempt - 1, 20)));
            assertThat(TraceSender.delay(attempt, Duration.ZERO, 0)).isEqualTo(max.dividedBy(2));
            assertThat(TraceSender.delay(attempt, Duration.ZERO, 1)).isEqualTo(max);
        }
        assertThat(TraceSender.delay(1, Duration.ofSeconds(7), 0)).isEqualTo(Duration.ofSeconds(7));
        assertThat(TraceSender.delay(1, Duration.ofDays(7), 0)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void responsesAreClassified() {
        assertThat(TraceStoreClient.result(202, null)).isEqualTo(new Result.Accepted());
        assertThat(TraceStoreClient.result(429, "3")).isEqualTo(new Result.Retry("status 429", Duration.ofSeconds(3)));
        assertThat(TraceStoreClient.result(503, "Wed, 21 Oct 2026 07:28:00 GMT"))
                .isEqualTo(new Result.Retry("status 503", Duration.ZERO));
        assertThat(TraceStoreClient.result(422, null)).isEqualTo(new Result.Rejected(422, true));
        assertThat(TraceStoreClient.result(307, null)).isEqualTo(new Result.Rejected(307, false));
    }

    private Tracing start(Map<String, String> settings) {
        return start(settings, new Tracing.Timeouts(BATCH_DELAY, HOUR, HOUR, FLUSH_TIMEOUT));
    }

    private Tracing start(Map<String, String> settings, Tracing.Timeouts timeouts) {
        Map<String, String> values = new HashMap<>(Map.of("url", store.address().toString(), "key", "secret-key"));
        values.putAll(settings);
        Map<String, String> keys = new HashMap<>();
        values.forEach((key, value) -> keys.put("waybill.runtime.tracing." + key, value));
        Tracing tracing = new Tracing(Settings.of(TracingConfig.class, keys),
                new Application(Path.of("/applications/shop"), List.of(), Map.of()), Clock.systemUTC(),
                new Tracing.Dependencies(vertx, new TrustedAuthorities(Settings.of(NetConfig.class, Map.of())), metrics,
                        Telemetry.disabled()),
                "1", timeouts);
        tracing.start(new StartupEvent());
        started.add(tracing);
        return tracing;
    }

    private static void trace(Tracing tracing, int runs, String graph) {
        for (int i = 0; i < runs; i++) {
            RunTrace trace = tracing.newTrace(TracedFixture.run(graph, "{}"));
            trace.started(TracedFixture.START);
            trace.ended(TracedFixture.end(null, "{\"n\":" + i + "}"));
        }
    }

    private double sent() {
        return metrics.get("waybill.runtime.traces.sent").counter().count();
    }

    private double dropped(String reason) {
        return metrics.get("waybill.runtime.traces.dropped").tag("reason", reason).counter().count();
    }

    private double dropped() {
        return metrics.get("waybill.runtime.traces.dropped").counters().stream().mapToDouble(counter -> counter.count()).sum();
    }

    private double used() {
        return metrics.get("waybill.runtime.traces.queue.bytes").gauge().value();
    }
}
