package dev.waybill.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.common.api.trace.QueryRunsV2Request;

/** Long searches, docs/traces.md: a redirect whose body is an empty page. */
class SearchTest {

    private HttpServer server;
    private TraceClient traces;
    private String contentType = "application/json;charset=UTF-8";
    private String response;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::redirect);
        server.start();
        traces = WaybillClients.of("wb_key").traces(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void redirect(HttpExchange exchange) throws IOException {
        byte[] body = response.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", contentType);
        exchange.getResponseHeaders().add("Location", "query?cursor=later");
        exchange.sendResponseHeaders(307, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void searchWithoutResultsSoFarIsAnEmptyPage() throws IOException {
        response = "{\"runs\": [], \"cursors\": {\"next\": \"later\"}, \"searched_until\": \"2026-11-12T08:14:03Z\"}";

        QueryRunsResponse page = traces.queryRuns(request("{\"is_root\": true}", QueryRunsRequest.class));

        assertThat(page.runs()).isEmpty();
        assertThat(page.cursors().next()).isEqualTo("later");
        assertThat(page.searchedUntil()).hasToString("2026-11-12T08:14:03Z");
    }

    @Test
    void searchOfVersion2IsAnEmptyPageToo() throws IOException {
        response = "{\"items\": [], \"next_cursor\": \"later\"}";

        ItemsResponse page = traces.queryRunsV2(request("{}", QueryRunsV2Request.class));

        assertThat(page.items()).isEmpty();
        assertThat(page.nextCursor()).isEqualTo("later");
    }

    @Test
    void otherRedirectsAreErrors() throws IOException {
        response = "{}";
        assertThatExceptionOfType(WaybillException.class).isThrownBy(() -> traces.getInfo())
                .satisfies(error -> assertThat(error.status()).isEqualTo(307));

        contentType = "text/html";
        QueryRunsRequest request = request("{}", QueryRunsRequest.class);
        assertThatExceptionOfType(WaybillException.class).isThrownBy(() -> traces.queryRuns(request))
                .satisfies(error -> assertThat(error.status()).isEqualTo(307));
    }

    private static <T> T request(String json, Class<T> type) throws IOException {
        return WaybillClients.mapper().readValue(json, type);
    }
}
