package dev.waybill.common.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.ProblemAnswers;
import dev.waybill.common.testing.RawHttp;
import dev.waybill.common.testing.RawHttp.Answer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

class RateLimitTest {

    private static final int BURST = 3;

    private final AtomicLong now = new AtomicLong(7);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;
    private RawHttp http;

    @BeforeEach
    void serve() {
        Filters filters = new Filters();
        new RateLimit(new TwoASecond(), new ProblemAnswers(new ObjectMapper()), metrics, now::get).register(filters);
        Router router = Router.router(vertx);
        filters.getFilters().forEach(filter -> router.route().handler(filter.getHandler()));
        router.route().handler(request -> request.response().end("done"));
        server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").toCompletionStage()
                .toCompletableFuture().join();
        http = new RawHttp(URI.create("http://127.0.0.1:" + server.actualPort()));
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aKeyThatAsksTooOftenIsToldWhenToComeBackAndOthersAreNot() {
        // Given
        for (int i = 0; i < BURST; i++) {
            assertThat(ask("/v1/x", "one").status()).isEqualTo(200);
        }

        // When
        Answer refused = ask("/v1/x", "one");

        // Then
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.body()).contains("urn:waybill:problem:too_many_requests", "2 times a second")
                .doesNotContain("one\"");
        assertThat(metrics.counter("waybill.rate.limited").count()).isEqualTo(1);
        assertThat(ask("/v1/x", "two").status()).isEqualTo(200);
        assertThat(ask("/q/metrics", "one").status()).isEqualTo(200);
        assertThat(http.send("GET", "/v1/x", Map.of(), null).status()).isEqualTo(200);
        now.addAndGet(Duration.ofMillis(500).toNanos());
        assertThat(ask("/v1/x", "one").status()).isEqualTo(200);
        assertThat(ask("/v1/x", "one").status()).isEqualTo(429);
    }

    private Answer ask(String path, String key) {
        return http.send("POST", path, Map.of("X-Api-Key", key), new byte[10]);
    }

    private record TwoASecond() implements RateConfig {

        @Override
        public OptionalInt perSecond() {
            return OptionalInt.of(2);
        }

        @Override
        public int burst() {
            return BURST;
        }

        @Override
        public int keys() {
            return 10;
        }
    }
}
