package dev.waybill.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Settings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;

/** An answer does not outlive its key, but a control plane that is away for a while ends none. */
class KeyWatchTimerTest {

    private final Vertx vertx = Vertx.vertx();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String workspace = "w";
    private volatile int questions;
    private HttpServer controlPlane;

    @BeforeEach
    void startTheControlPlane() throws Exception {
        controlPlane = vertx.createHttpServer()
                .requestHandler(request -> {
                    request.response().setStatusCode(status).end("{\"tenant_id\": \"" + workspace + "\"}");
                    questions++;
                })
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    @Test
    void aGoodKeyIsLeftInPeaceAndARevokedOneIsNot() {
        KeyWatchTimer watch = watch(keys("1h"));
        lookAndWait(watch);
        assertThat(refusals).isEmpty();

        status = 401;
        watch.look();
        Patience.await().until(() -> refusals.size() == 1);
        assertThat(refusals.getFirst()).contains("revoked");
    }

    @Test
    void aKeyThatStandsForSomebodyElseByNowIsRefused() {
        KeyWatchTimer watch = watch(keys("1h"));
        workspace = "other";
        watch.look();
        Patience.await().until(() -> refusals.size() == 1);
    }

    @Test
    void aControlPlaneThatIsAwayEndsNothingUntilItHasBeenAwayForTooLong() {
        // Given: a key that was good a moment ago, and a long and no grace
        ControlPlaneKeys trusting = keys("1h");
        assertThat(principal(trusting)).contains("workspace:w");
        status = 503;

        // When
        watch(trusting).look();
        assertThat(principal(trusting)).contains("workspace:w");
        assertThat(refusals).isEmpty();
        watch(keys("0s")).look();

        // Then
        Patience.await().until(() -> !refusals.isEmpty());
        assertThat(refusals).singleElement().asString().contains("away");
    }

    @Test
    void anAnswerThatIsOverIsNotAskedFor() {
        KeyWatchTimer watch = new KeyWatchTimer(keys("1h"), config("1h"));
        KeyWatchTimer.Watched answer = refusals::add;
        watch.add(new CheckedKey("key", "workspace:w"), answer);
        watch.remove(answer);
        watch.look();
        assertThat(questions).isZero();
    }

    @Test
    void aRevokedKeyMayNotWorkForLongerThanThirtySeconds() {
        AccessConfig slow = Settings.of(AccessConfig.class, Map.of("waybill.runtime.access.cache", "20s",
                "waybill.runtime.access.recheck", "11s"));
        assertThatThrownBy(() -> new ControlPlaneKeys(slow, vertx, Clock.systemUTC(), Telemetry.disabled()))
                .hasMessageContaining("at most 30s together");
    }

    private static Optional<String> principal(ControlPlaneKeys keys) {
        return keys.principal("key").await().atMost(Duration.ofMinutes(1));
    }

    private void lookAndWait(KeyWatchTimer watch) {
        int before = questions;
        watch.look();
        Patience.await().until(() -> questions > before);
    }

    private KeyWatchTimer watch(ControlPlaneKeys keys) {
        KeyWatchTimer watch = new KeyWatchTimer(keys, config("1h"));
        watch.add(new CheckedKey("key", "workspace:w"), refusals::add);
        return watch;
    }

    /** Every look is a question: nothing is remembered as fresh. */
    private ControlPlaneKeys keys(String grace) {
        return new ControlPlaneKeys(config(grace), vertx, Clock.systemUTC(), Telemetry.disabled());
    }

    private AccessConfig config(String grace) {
        return Settings.of(AccessConfig.class, Map.of(
                "waybill.runtime.access.control-plane-url", "http://127.0.0.1:" + controlPlane.actualPort(),
                "waybill.runtime.access.timeout", Duration.ofMinutes(1).toString(),
                "waybill.runtime.access.cache", "0s",
                "waybill.runtime.access.grace", grace));
    }
}
