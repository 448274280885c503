package dev.waybill.common.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.RequestSizeLimit;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;

class BodyTimeoutTest {

    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    private void serve(Duration timeout) {
        Filters filters = new Filters();
        bodyTimeout(timeout, 1 << 20).register(filters);
        Router router = Router.router(vertx);
        filters.getFilters().forEach(filter -> router.route().handler(filter.getHandler()));
        router.route().handler(request -> request.request().endHandler(ignored -> request.response().end("done")));
        server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").toCompletionStage()
                .toCompletableFuture().join();
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @ParameterizedTest
    @EnumSource(value = HttpVersion.class, names = { "HTTP_1_1", "HTTP_2" })
    void incompleteBodyOfUnknownLengthTimesOut(HttpVersion version) {
        // Given
        serve(Duration.ofMillis(50));
        HttpClient client = client(version);
        CompletableFuture<Void> closed = new CompletableFuture<>();

        // When
        HttpClientResponse response = join(client
                .request(HttpMethod.POST, server.actualPort(), "127.0.0.1", "/v1/x")
                .compose(call -> {
                    call.connection().closeHandler(ignored -> closed.complete(null));
                    call.setChunked(true);
                    return call.write("{").compose(ignored -> call.response());
                }));

        // Then
        assertThat(response.statusCode()).isEqualTo(408);
        closed.join();
    }

    @ParameterizedTest
    @EnumSource(value = HttpVersion.class, names = { "HTTP_1_1", "HTTP_2" })
    void completeBodyDoesNotTimeOut(HttpVersion version) {
        serve(Duration.ofHours(1));

        assertThat(join(client(version).request(HttpMethod.POST, server.actualPort(), "127.0.0.1", "/v1/x")
                .compose(call -> call.send())).statusCode()).isEqualTo(200);
    }

    @Test
    void rejectsZeroTimeoutAndZeroRateAtStartup() {
        assertThatThrownBy(() -> bodyTimeout(Duration.ZERO, 1)).hasMessageContaining("waybill.requests.body-timeout");
        assertThatThrownBy(() -> bodyTimeout(Duration.ofSeconds(1), 0)).hasMessageContaining("waybill.requests.min-body-rate");
    }

    private HttpClient client(HttpVersion version) {
        return vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private static BodyTimeout bodyTimeout(Duration timeout, long rate) {
        ProblemResponses responses = new ProblemResponses(new ObjectMapper());
        RequestSizeLimit limit = new RequestSizeLimit(Optional.of(new MemorySize(BigInteger.valueOf(1024))));
        return new BodyTimeout(new Timeouts(timeout, timeout, new MemorySize(BigInteger.valueOf(rate))), limit, responses);
    }

    private record Timeouts(Duration headerTimeout, Duration bodyTimeout, MemorySize minBodyRate) implements RequestsConfig {
    }
}
