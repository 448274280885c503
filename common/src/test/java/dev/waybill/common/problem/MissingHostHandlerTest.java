package dev.waybill.common.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.id.Ids;
import dev.waybill.common.logging.RequestIds;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

class MissingHostHandlerTest {

    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    @BeforeEach
    void serve() {
        RequestIds ids = new RequestIds(new Ids(Clock.systemUTC()));
        Router router = Router.router(vertx);
        new MissingHostHandler(ids, new ProblemResponses(new ObjectMapper())).register(router);
        Filters filters = new Filters();
        ids.register(filters);
        filters.getFilters().forEach(filter -> router.route().handler(filter.getHandler()));
        router.route("/fails").handler(request -> request.fail(400, new IllegalStateException("another")));
        router.route().handler(request -> request.response().end("done"));
        router.route().last().failureHandler(request -> request.response().setStatusCode(418).end());
        server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").toCompletionStage()
                .toCompletableFuture().join();
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "Host:\r\n", "Host: \t\r\n" })
    void requestWithoutHostGetsAProblemResponse(String host) throws IOException {
        assertThat(send("GET /x HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n")).startsWith("HTTP/1.1 400 ")
                .containsIgnoringCase("content-type: application/problem+json")
                .containsIgnoringCase("x-request-id: ")
                .containsIgnoringCase("x-content-type-options: nosniff")
                .contains("\"status\":400", "The request has no valid host");
    }

    @Test
    void otherRequestsAndFailuresAreUnaffected() throws IOException {
        String host = "Host: here\r\nConnection: close\r\n\r\n";

        assertThat(send("GET /x HTTP/1.1\r\n" + host)).startsWith("HTTP/1.1 200 ").endsWith("done");
        assertThat(send("GET /fails HTTP/1.1\r\n" + host)).startsWith("HTTP/1.1 418 ");
    }

    private String send(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
