package dev.waybill.common.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.security.PresentedKey;
import dev.waybill.common.testing.RawHttp;
import dev.waybill.common.testing.RawHttp.Response;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

class RateLimitTest {

    /** Two seconds of the rate. */
    private static final int BURST = 4;
    /** Four seconds of the rate. */
    private static final int ANONYMOUS_BURST = 4;

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final AtomicLong now = new AtomicLong(7);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;
    private RawHttp http;

    @BeforeEach
    void serve() {
        Filters filters = new Filters();
        new RateLimit(new FewPerSecond(), new ProblemResponses(new ObjectMapper()), metrics, now::get).register(filters);
        Router router = Router.router(vertx);
        filters.getFilters().forEach(filter -> router.route().handler(filter.getHandler()));
        router.route().handler(this::serve);
        server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").toCompletionStage()
                .toCompletableFuture().join();
        http = new RawHttp(URI.create("http://127.0.0.1:" + server.actualPort()));
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void keyThatExceedsItsRateIsRejectedAndOthersAreNot() {
        // Given
        String one = valid("one");
        String two = valid("two");
        // A key that was valid is limited by its own rate only.
        for (int i = 0; i < BURST; i++) {
            assertThat(post("/v1/x", one).status()).isEqualTo(200);
        }

        // When
        Response rejected = post("/v1/x", one);

        // Then
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.header("Retry-After")).isEqualTo("1");
        assertThat(rejected.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(rejected.body()).contains("urn:waybill:problem:too_many_requests", "2 requests per second")
                .doesNotContain(one);
        assertThat(metrics.counter("waybill.rate.limited", "by", "key").count()).isEqualTo(1);
        assertThat(post("/v1/x", two).status()).isEqualTo(200);
        assertThat(post("/q/metrics", one).status()).isEqualTo(200);
        now.addAndGet(Duration.ofMillis(500).toNanos());
        assertThat(post("/v1/x", one).status()).isEqualTo(200);
        assertThat(post("/v1/x", one).status()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = { "none", "unknown" })
    void addressWithoutValidKeyIsRejectedAndValidKeysAreNot(String key) {
        // Given
        String good = valid("good");
        for (int i = 0; i < ANONYMOUS_BURST; i++) {
            assertThat(anonymous(key, i).status()).isEqualTo(401);
        }

        // When
        Response rejected = anonymous(key, ANONYMOUS_BURST);

        // Then
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.header("Retry-After")).isEqualTo("1");
        assertThat(rejected.body()).contains("1 requests per second without a valid API key");
        assertThat(metrics.counter("waybill.rate.limited", "by", "address").count()).isEqualTo(1);
        assertThat(http.send("GET", "/q/health", Map.of(), null).status()).isEqualTo(200);
        assertThat(post("/v1/x", good).status()).isEqualTo(200);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(anonymous(key, ANONYMOUS_BURST).status()).isEqualTo(401);
    }

    @Test
    void authenticatedRequestsDoNotCountAgainstTheirAddress() {
        for (int i = 0; i < 3 * ANONYMOUS_BURST; i++) {
            assertThat(post("/v1/x", "valid-" + i).status()).isEqualTo(200);
        }
    }

    @Test
    void keyThatStopsBeingValidCountsAgainstItsAddressAgain() {
        String key = valid("revoked");
        known.remove(key);

        assertThat(post("/v1/x", key).status()).isEqualTo(401);
        for (int i = 0; i < ANONYMOUS_BURST; i++) {
            assertThat(post("/v1/x", key).status()).isEqualTo(401);
        }
        assertThat(post("/v1/x", key).status()).isEqualTo(429);
    }

    /** Returns a key that the service has found to be valid. */
    private String valid(String name) {
        known.add(name);
        assertThat(post("/v1/x", name).status()).isEqualTo(200);
        return name;
    }

    private Response anonymous(String key, int number) {
        return key.equals("none") ? http.send("GET", "/v1/x", Map.of(), null) : post("/v1/x", key + number);
    }

    private void serve(RoutingContext request) {
        String key = PresentedKey.of(request);
        boolean authenticated = key != null && (known.contains(key) || key.startsWith("valid-"));
        if (authenticated) {
            PresentedKey.markAuthenticated(request);
        }
        request.response().setStatusCode(authenticated || request.normalizedPath().startsWith("/q/") ? 200 : 401).end("done");
    }

    private Response post(String path, String key) {
        return http.send("POST", path, Map.of("X-Api-Key", key), new byte[10]);
    }

    private record FewPerSecond() implements RateConfig {

        @Override
        public int perSecond() {
            return 2;
        }

        @Override
        public int anonymousPerSecond() {
            return 1;
        }
    }
}
