package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;

@RuntimeTest
class WebhookSenderTest {

    private static final long PAUSE_NANOS = 50_000_000;

    private final Caller caller = Caller.authorized();
    private final List<JsonNode> received = new CopyOnWriteArrayList<>();
    private final List<String> addresses = new CopyOnWriteArrayList<>();
    private HttpServer hook;

    /** The first request fails. */
    @BeforeEach
    void listen() throws IOException {
        hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/hook", exchange -> {
            addresses.add(exchange.getRequestURI().toString());
            received.add(new ObjectMapper().readTree(exchange.getRequestBody()));
            exchange.sendResponseHeaders(received.size() == 1 ? 500 : 204, -1);
            exchange.close();
        });
        hook.start();
    }

    @AfterEach
    void stop() {
        hook.stop(0);
    }

    @Test
    void failedWebhookIsRetried() {
        String run = caller.start(Bodies.agent("hello", webhook("http://127.0.0.1:" + hook.getAddress().getPort() + "/hook")));

        Patience.await().until(() -> received.size() == 2);

        assertThat(received).allSatisfy(webhook -> {
            assertThat(webhook.get("run_id").textValue()).isEqualTo(run);
            assertThat(webhook.get("status").textValue()).isEqualTo("success");
            assertThat(webhook.at("/values/messages/1/content").textValue()).isEqualTo("hello");
        });
    }

    @Test
    void queryIsSentVerbatim() {
        caller.start(Bodies.agent("hello",
                webhook("http://127.0.0.1:" + hook.getAddress().getPort() + "/hook?token=a%20b&x=1;y=http://z/?")));
        Patience.await().until(() -> received.size() == 2);
        assertThat(addresses).containsOnly("/hook?token=a%20b&x=1;y=http://z/?");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 200 OK\r\nX-A: " })
    void endlessResponseIsAborted(String begin) throws Exception {
        try (ServerSocket endless = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> sent = CompletableFuture.supplyAsync(() -> sendResponse(endless, begin));

            // When
            caller.start(Bodies.agent("hello", webhook("http://127.0.0.1:" + endless.getLocalPort() + "/hook")));

            // Then: the connection is closed although the server continues to send
            assertThat(sent.get(2, TimeUnit.MINUTES)).isLessThan(64L << 20);
        }
    }

    /** Writes until the client closes the connection; returns the number of bytes. */
    private static long sendResponse(ServerSocket server, String begin) {
        long bytes = 0;
        try (Socket client = server.accept()) {
            client.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
            boolean chunked = begin.contains("chunked");
            while (bytes < 64L << 20) {
                client.getOutputStream().write((chunked ? "5\r\nhello\r\n" : "x").getBytes(StandardCharsets.US_ASCII));
                bytes++;
                if (!chunked) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (IOException e) {
            // The client closed the connection.
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = { "http://169.254.169.254/latest", "ftp://example.com/", "http://10.0.0.1/hook", "nonsense",
            "http://user@127.0.0.1/hook", "http://0x7f000001/", "http://127.0.0.1:8080/hook?a#b",
            "http://127.0.0.1:8080/hook?a b", "http://127.0.0.1:8080/hook?%zz", "http://127.0.0.1:8080?\\r\\nX-Evil: 1" })
    void internalAddressesAreRejected(String address) {
        caller.post("/runs", Bodies.agent("hello", webhook(address))).then()
                .statusCode(422)
                .body("errors[0].loc[0]", equalTo("webhook"));
    }

    private static String webhook(String address) {
        return "\"webhook\": \"" + address + "\"";
    }
}
