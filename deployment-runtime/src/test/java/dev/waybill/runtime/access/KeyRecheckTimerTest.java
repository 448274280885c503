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
import dev.waybill.runtime.access.ControlPlaneKeyVerifier.Principal;
import dev.waybill.runtime.access.KeyRecheckTimer.VerifiedKey;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;

/** Revoked keys end open responses; short outages of the control plane do not. */
class KeyRecheckTimerTest {

    private final Vertx vertx = Vertx.vertx();
    private final List<String> reasons = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String workspace = "w";
    private volatile int requests;
    private HttpServer controlPlane;

    @BeforeEach
    void startControlPlane() throws Exception {
        controlPlane = vertx.createHttpServer()
                .requestHandler(request -> {
                    request.response().setStatusCode(status).end("{\"tenant_id\": \"" + workspace + "\"}");
                    requests++;
                })
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    @Test
    void onlyRevokedKeyEndsResponse() {
        KeyRecheckTimer timer = timer(keys("1h"));
        recheckAndWait(timer);
        assertThat(reasons).isEmpty();

        status = 401;
        timer.recheck();
        Patience.await().until(() -> reasons.size() == 1);
        assertThat(reasons.getFirst()).contains("revoked");
    }

    @Test
    void keyWithAnotherPrincipalEndsResponse() {
        KeyRecheckTimer timer = timer(keys("1h"));
        workspace = "other";
        timer.recheck();
        Patience.await().until(() -> reasons.size() == 1);
    }

    @Test
    void outageEndsResponsesOnlyAfterGracePeriod() {
        // Given: a key that was verified before, with a long grace period and with none
        ControlPlaneKeyVerifier trusting = keys("1h");
        assertThat(principal(trusting)).contains("workspace:w");
        status = 503;

        // When
        timer(trusting).recheck();
        assertThat(principal(trusting)).contains("workspace:w");
        assertThat(reasons).isEmpty();
        timer(keys("0s")).recheck();

        // Then
        Patience.await().until(() -> !reasons.isEmpty());
        assertThat(reasons).singleElement().asString().contains("unavailable");
    }

    @Test
    void closedResponsesAreNotVerified() {
        KeyRecheckTimer timer = new KeyRecheckTimer(keys("1h"));
        KeyRecheckTimer.Watched response = reasons::add;
        timer.add(new VerifiedKey("key", "workspace:w"), response);
        timer.remove(response);
        timer.recheck();
        assertThat(requests).isZero();
    }

    @Test
    void cacheTtlAbove25SecondsIsRejected() {
        AccessConfig slow = Settings.of(AccessConfig.class, Map.of("waybill.runtime.access.cache-ttl", "26s"));
        assertThatThrownBy(() -> new ControlPlaneKeyVerifier(slow, vertx, Clock.systemUTC(), Telemetry.disabled()))
                .hasMessageContaining("at most 25s");
    }

    private static Optional<String> principal(ControlPlaneKeyVerifier keys) {
        return keys.verify("key").await().atMost(Duration.ofMinutes(1)).map(Principal::name);
    }

    private void recheckAndWait(KeyRecheckTimer timer) {
        int before = requests;
        timer.recheck();
        Patience.await().until(() -> requests > before);
    }

    private KeyRecheckTimer timer(ControlPlaneKeyVerifier keys) {
        KeyRecheckTimer timer = new KeyRecheckTimer(keys);
        timer.add(new VerifiedKey("key", "workspace:w"), reasons::add);
        return timer;
    }

    /** Returns a verifier without caching, so that each check is a request. */
    private ControlPlaneKeyVerifier keys(String grace) {
        return new ControlPlaneKeyVerifier(config(grace), vertx, Clock.systemUTC(), Telemetry.disabled());
    }

    private AccessConfig config(String grace) {
        return Settings.of(AccessConfig.class, Map.of(
                "waybill.runtime.access.control-plane-url", "http://127.0.0.1:" + controlPlane.actualPort(),
                "waybill.runtime.access.timeout", Duration.ofMinutes(1).toString(),
                "waybill.runtime.access.cache-ttl", "0s",
                "waybill.runtime.access.grace-period", grace));
    }
}
