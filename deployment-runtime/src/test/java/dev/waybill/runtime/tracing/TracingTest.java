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
import java.util.random.RandomGenerator;

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
import dev.waybill.runtime.tracing.TraceStore.Answer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Traces on their way to a store that is well, away, slow, or of another opinion. */
class TracingTest {

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
    void runsGoToTheSessionOfTheApplicationInBatches() {
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
    void aStoreThatCannotIsAskedAgain(String trouble) {
        store.mode(trouble);
        Tracing tracing = start(Map.of());

        trace(tracing, 3, "agent");
        Patience.await().until(() -> store.asked() > 0);
        store.mode("ok");

        Patience.await().until(() -> sent() == 3);
        assertThat(dropped()).isZero();
    }

    @Test
    void aBatchIsGivenUpWhenItWasTriedForLongEnough() {
        Tracing tracing = start(Map.of("url", "http://127.0.0.1:1/api/v1/", "keep-trying", "100ms"));

        trace(tracing, 3, "agent");
        Patience.await().until(() -> used() == 0);

        assertThat(dropped("given_up")).isEqualTo(3);
    }

    @Test
    void oneBadRunTakesNoOtherAlong() {
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
    void whatTheStoreWillNeverTakeIsDroppedAtOnce(String refusal) {
        store.mode(refusal);
        Tracing tracing = start(Map.of());

        trace(tracing, 50, "agent");

        Patience.await().until(() -> used() == 0);
        assertThat(dropped("refused")).isEqualTo(50);
        assertThat(store.batches().stream().mapToInt(Integer::intValue).sum()).isEqualTo(50);
    }

    @Test
    void nobodyWaitsForAStoreThatHangsAndWhatDoesNotFitIsCounted() {
        // Given
        store.mode("hang");
        Tracing tracing = start(Map.of("queue", "64K"));
        trace(tracing, 1, "first");
        Patience.await().until(() -> store.held() == 1);

        // When: far more than there is room for, and all of it is taken by this thread while the store holds its request
        trace(tracing, 5_000, "agent");

        // Then
        assertThat(store.held()).isOne();
        assertThat(dropped("full")).isBetween(4_000.0, 4_999.0);
        assertThat(used()).isLessThanOrEqualTo(64 << 10);
        store.mode("ok");
        Patience.await().until(() -> sent() + dropped() == 5_001);
        assertThat(store.rows()).hasSize((int) sent());
    }

    @Test
    void theLastTracesAreSentWhenTheRuntimeStops() throws InterruptedException {
        Tracing tracing = start(Map.of("every", "1h", "flush", "2m"));
        trace(tracing, 5, "agent");

        tracing.stop(new ShutdownEvent());

        assertThat(store.rows()).hasSize(5);
        trace(tracing, 1, "late");
        assertThat(dropped("shutdown")).isOne();
    }

    @Test
    void aStoreThatHangsDoesNotKeepTheRuntimeFromStopping() throws InterruptedException {
        store.mode("hang");
        Tracing tracing = start(Map.of("flush", "100ms"));
        trace(tracing, 5, "agent");
        Patience.await().until(() -> store.held() == 1);
        trace(tracing, 2, "agent");

        tracing.stop(new ShutdownEvent());

        Patience.await().until(() -> dropped("shutdown") == 7);
    }

    @Test
    void withoutAnAddressNothingIsTraced() {
        Tracing tracing = start(Map.of("url", ""));

        assertThat(tracing.begin(Traced.run("agent", "{}"))).isSameAs(RunTrace.NONE);
        assertThat(RunTrace.NONE.stepBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = { "ftp://127.0.0.1/", "127.0.0.1:8082", "http://user:key@127.0.0.1/", "http:///x" })
    void anAddressThatIsNoneIsToldAtTheStart(String address) {
        assertThatThrownBy(() -> start(Map.of("url", address)))
                .hasMessageContaining("waybill.runtime.tracing.url").hasMessageNotContaining("user:key");
    }

    @Test
    void pausesGrowDifferAndFollowTheStoreWithinReason() {
        RandomGenerator least = RandomGenerator.of("L64X128MixRandom");
        for (int attempt = 1; attempt <= 60; attempt++) {
            Duration most = Duration.ofMillis(Math.min(30_000, 500L << Math.min(attempt - 1, 20)));
            assertThat(Pauses.after(attempt, Duration.ZERO, least)).isBetween(most.dividedBy(2), most);
        }
        assertThat(Pauses.after(1, Duration.ofSeconds(7), least)).isEqualTo(Duration.ofSeconds(7));
        assertThat(Pauses.after(1, Duration.ofDays(7), least)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void answersAreReadAsTheyAreMeant() {
        assertThat(TraceStore.answer(202, null)).isEqualTo(new Answer.Taken());
        assertThat(TraceStore.answer(429, "3")).isEqualTo(new Answer.Later("it answered 429", Duration.ofSeconds(3)));
        assertThat(TraceStore.answer(503, "Wed, 21 Oct 2026 07:28:00 GMT"))
                .isEqualTo(new Answer.Later("it answered 503", Duration.ZERO));
        assertThat(TraceStore.answer(422, null)).isEqualTo(new Answer.Refused(422, true));
        assertThat(TraceStore.answer(307, null)).isEqualTo(new Answer.Refused(307, false));
    }

    private Tracing start(Map<String, String> settings) {
        Map<String, String> values = new HashMap<>(Map.of("url", store.address().toString(), "key", "secret-key",
                "every", "20ms", "keep-trying", "1h", "timeout", "1h"));
        values.putAll(settings);
        Map<String, String> keys = new HashMap<>();
        values.forEach((key, value) -> keys.put("waybill.runtime.tracing." + key, value));
        Tracing tracing = new Tracing(Settings.of(TracingConfig.class, keys),
                new Application(Path.of("/applications/shop"), List.of(), Map.of()), Clock.systemUTC(),
                new Tracing.Outside(vertx, new TrustedAuthorities(Settings.of(NetConfig.class, Map.of())), metrics,
                        Telemetry.disabled()),
                "1");
        tracing.start(new StartupEvent());
        started.add(tracing);
        return tracing;
    }

    private static void trace(Tracing tracing, int runs, String graph) {
        for (int i = 0; i < runs; i++) {
            RunTrace trace = tracing.begin(Traced.run(graph, "{}"));
            trace.begun(Traced.START);
            trace.ended(Traced.end(null, "{\"n\":" + i + "}"));
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
