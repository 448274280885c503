package dev.waybill.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.testing.SettableClock;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.access.CallerResolver.ConfiguredKeys;
import dev.waybill.runtime.access.CallerResolver.LoopbackRequests;
import dev.waybill.runtime.access.ControlPlaneKeyVerifier.Principal;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;

class AccessTest {

    private static final String WORKSPACE = "01234567-89ab-7def-8123-456789abcdef";

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-21T08:00:00Z"));
    private volatile String expiry = "";
    private HttpServer controlPlane;

    @BeforeEach
    void startControlPlane() throws Exception {
        controlPlane = vertx.createHttpServer()
                .requestHandler(request -> {
                    requests.incrementAndGet();
                    if (failures.getAndDecrement() > 0) {
                        request.connection().close();
                        return;
                    }
                    boolean good = "good".equals(request.getHeader("X-Api-Key")) && request.path().equals("/v1/whoami");
                    request.response().setStatusCode(good ? 200 : 401)
                            .end("{\"organization_id\": \"o\", \"tenant_id\": \"" + WORKSPACE + "\"" + expiry + "}");
                })
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    @Test
    void verifiedKeysAreCached() {
        ControlPlaneKeyVerifier keys = keys(Optional.empty());

        assertThat(principal(keys, "good")).contains("workspace:" + WORKSPACE);
        assertThat(principal(keys, "bad")).isEmpty();
        assertThat(principal(keys, "good")).isPresent();
        assertThat(principal(keys, "bad")).isEmpty();
        assertThat(requests).hasValue(2);

        clock.advance(Duration.ofSeconds(16));
        assertThat(principal(keys, "good")).isPresent();
        assertThat(requests).hasValue(3);
    }

    @Test
    void validKeysAreAcceptedDuringControlPlaneOutage() throws Exception {
        ControlPlaneKeyVerifier keys = keys(Optional.empty());
        assertThat(principal(keys, "good")).isPresent();
        assertThat(principal(keys, "bad")).isEmpty();

        controlPlane.close().toCompletionStage().toCompletableFuture().get();

        clock.advance(Duration.ofSeconds(3_599));
        assertThat(principal(keys, "good")).contains("workspace:" + WORKSPACE);
        assertThatThrownBy(() -> principal(keys, "bad")).hasMessageContaining("control plane does not respond");
        assertThatThrownBy(() -> principal(keys, "new")).isInstanceOf(ProblemException.class);
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> principal(keys, "good")).isInstanceOf(ProblemException.class);
    }

    @Test
    void expiredKeysAreRejectedDespiteCache() throws Exception {
        // Given
        ControlPlaneKeyVerifier keys = keys(Optional.empty());
        expiry = ", \"expires_at\": \"" + clock.instant().plusSeconds(3) + "\"";
        assertThat(principal(keys, "good")).isPresent();

        // When
        clock.advance(Duration.ofSeconds(3));

        // Then
        assertThat(keys.cached("good")).isEmpty();
        assertThat(principal(keys, "good")).isEmpty();
        assertThat(requests).hasValue(1);
        controlPlane.close().toCompletionStage().toCompletableFuture().get();
        clock.advance(Duration.ofSeconds(60));
        assertThatThrownBy(() -> principal(keys, "good")).isInstanceOf(ProblemException.class);
    }

    @Test
    void closedConnectionIsRetriedOnce() {
        // Given
        ControlPlaneKeyVerifier keys = keys(Optional.empty());
        failures.set(1);

        // When
        Optional<String> principal = principal(keys, "good");

        // Then
        assertThat(principal).contains("workspace:" + WORKSPACE);
        assertThat(requests).hasValue(2);
    }

    @Test
    void retriesAreLimitedWhenAllConnectionsAreClosed() {
        // Given
        ControlPlaneKeyVerifier keys = keys(Optional.empty());
        failures.set(100);

        // When, then
        assertThatThrownBy(() -> principal(keys, "good")).hasMessageContaining("control plane does not respond");
        assertThat(requests).hasValue(2);
    }

    @Test
    void keysOfOtherWorkspacesAreRejected() {
        assertThat(principal(keys(Optional.of("11234567-89ab-7def-8123-456789abcdef")), "good")).isEmpty();
        assertThat(principal(keys(Optional.of(WORKSPACE)), "good")).isPresent();
    }

    @Test
    void configuredKeysAreCompared() {
        ConfiguredKeys keys = new ConfiguredKeys(List.of("one", " two ", ""));

        assertThat(keys.contains("one")).isTrue();
        assertThat(keys.contains("two")).isTrue();
        assertThat(keys.contains("")).isFalse();
        assertThat(keys.contains("three")).isFalse();
        assertThat(keys.principal("one")).startsWith("key:").doesNotContain("one").isNotEqualTo(keys.principal("two"));
        assertThat(new ConfiguredKeys(List.of(" ")).isEmpty()).isTrue();
    }

    @Test
    void browserRequestsAreNotLoopback() throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.response().end(String.valueOf(LoopbackRequests.isLoopback(request))))
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get();

        assertThat(get(server, "Host", "127.0.0.1:" + server.actualPort())).isEqualTo("true");
        assertThat(get(server, "Host", "localhost")).isEqualTo("true");
        assertThat(get(server, "Host", "attacker.example")).isEqualTo("false");
        assertThat(get(server, "Origin", "http://attacker.example")).isEqualTo("false");
    }

    private String get(HttpServer server, String header, String value) throws Exception {
        return vertx.createHttpClient().request(HttpMethod.GET, server.actualPort(), "127.0.0.1", "/")
                .compose(request -> request.putHeader(header, value).send().compose(HttpClientResponse::body))
                .toCompletionStage().toCompletableFuture().get().toString();
    }

    private static Optional<String> principal(ControlPlaneKeyVerifier keys, String key) {
        return keys.verify(key).await().atMost(Duration.ofMinutes(1)).map(Principal::name);
    }

    private ControlPlaneKeyVerifier keys(Optional<String> workspace) {
        Map<String, String> settings = new HashMap<>();
        settings.put("waybill.runtime.access.control-plane-url", "http://127.0.0.1:" + controlPlane.actualPort() + "/");
        settings.put("waybill.runtime.access.timeout", "1m");
        workspace.ifPresent(id -> settings.put("waybill.runtime.access.workspace-id", id));
        return new ControlPlaneKeyVerifier(Settings.of(AccessConfig.class, settings), vertx, clock, Telemetry.disabled());
    }
}
