package dev.waybill.controlplane.engine.local.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.HttpServerOptions;

/** The proxy with clients and applications that violate HTTP, disconnect, or stream. */
class ReverseProxyTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final String GET = "GET /a?b=%20c HTTP/1.1\r\nHost: here:99\r\n\r\n";

    private ProxyFixture proxy;

    @BeforeEach
    void open() throws IOException {
        proxy = new ProxyFixture();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(strings = { "HTTP/1.1200\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n" })
    void malformedResponseBecomes503(String response) throws IOException {
        try (Socket client = proxy.send(GET); Socket there = proxy.application.accept()) {
            // When
            ProxyFixture.readHead(there.getInputStream());
            ProxyFixture.write(there, response);

            // Then
            assertThat(ProxyFixture.readHead(client.getInputStream())).startsWith("HTTP/1.1 503 ");
        }
        await().atMost(TIMEOUT).until(() -> proxy.backend.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length : 5", "no header", " folded: 5", "a: 1\rb: 2" })
    void rejectsAmbiguousHeads(String headers) throws IOException {
        try (Socket client = proxy.send("POST / HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n\r\n")) {
            assertThat(ProxyFixture.readHead(client.getInputStream())).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void forwardsFramingHeadersNamedInConnection() throws IOException {
        try (Socket ignored = proxy.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nX-Own: 1\r\nX-Other: 2\r\n"
                + "Connection: keep-alive, X-Own, content-length, host\r\n\r\nhello");
                Socket there = proxy.application.accept()) {
            String head = ProxyFixture.readHead(there.getInputStream());

            assertThat(head).startsWith("POST / HTTP/1.1\r\n").endsWith("\r\n\r\n");
            assertThat(head.strip().lines().skip(1).map(line -> line.toLowerCase(java.util.Locale.ROOT)))
                    .containsExactlyInAnyOrder("host: here", "content-length: 5", "x-other: 2");
            assertThat(ProxyFixture.readBody(head, there.getInputStream())).isEqualTo("hello");
        }
    }

    @Test
    void forwardsTargetAndHostUnchanged() throws IOException {
        try (Socket ignored = proxy.send(GET); Socket there = proxy.application.accept()) {
            assertThat(ProxyFixture.readHead(there.getInputStream())).startsWith("GET /a?b=%20c HTTP/1.1\r\n")
                    .containsIgnoringCase("host: here:99\r\n");
        }
    }

    @Test
    void streamsEventsBeforeTheResponseEnds() throws IOException {
        try (Socket client = proxy.send(GET); Socket there = proxy.application.accept()) {
            // When: the response does not end
            ProxyFixture.readHead(there.getInputStream());
            ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");

            // Then
            InputStream in = client.getInputStream();
            assertThat(ProxyFixture.readHead(in)).containsIgnoringCase("transfer-encoding: chunked\r\n");
            assertThat(ProxyFixture.readUntil(in, "first")).isEqualTo("5\r\nfirst");
            ProxyFixture.write(there, "6\r\nsecond\r\n");
            assertThat(ProxyFixture.readUntil(in, "second")).isEqualTo("\r\n6\r\nsecond");
        }
    }

    @Test
    void streamsToClientsOfHttp10UntilClose() throws IOException {
        try (Socket client = proxy.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
                Socket there = proxy.application.accept()) {
            ProxyFixture.readHead(there.getInputStream());
            ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
            InputStream in = client.getInputStream();
            assertThat(ProxyFixture.readHead(in)).startsWith("HTTP/1.0 200 OK\r\n")
                    .doesNotContainIgnoringCase("transfer-encoding");
            assertThat(ProxyFixture.readUntil(in, "first")).isEqualTo("first");
            ProxyFixture.write(there, "0\r\n\r\n");

            assertThat(in.readAllBytes()).isEmpty();
        }
    }

    @Test
    void clientConnectionOutlivesTheBackendConnection() throws IOException {
        try (Socket client = proxy.send(GET)) {
            for (int request = 0; request < 2; request++) {
                try (Socket there = proxy.application.accept()) {
                    ProxyFixture.readHead(there.getInputStream());
                    ProxyFixture.write(there,
                            "HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: X-Own\r\nX-Own: 1\r\nContent-Length: 2\r\n"
                                    + "\r\nok");
                }
                assertThat(ProxyFixture.readHead(client.getInputStream())).startsWith("HTTP/1.1 200 OK\r\n")
                        .doesNotContainIgnoringCase("connection: close").doesNotContainIgnoringCase("x-own");
                assertThat(client.getInputStream().readNBytes(2)).asString().isEqualTo("ok");
                ProxyFixture.write(client, GET);
            }
        }
    }

    @Test
    void reusesTheBackendConnection() throws IOException {
        try (Socket client = proxy.send(GET); Socket there = proxy.application.accept()) {
            for (int request = 0; request < 2; request++) {
                ProxyFixture.readHead(there.getInputStream());
                ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                ProxyFixture.readHead(client.getInputStream());
                assertThat(client.getInputStream().readNBytes(2)).asString().isEqualTo("ok");
                ProxyFixture.write(client, GET);
            }
        }
    }

    @Test
    void truncatedResponseClosesTheConnection() throws IOException {
        try (Socket client = proxy.send(GET)) {
            try (Socket there = proxy.application.accept()) {
                ProxyFixture.readHead(there.getInputStream());
                ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
                ProxyFixture.readHead(client.getInputStream());
            }

            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)).startsWith("5\r\nfirst")
                    .doesNotContain("0\r\n\r\n");
        }
        await().atMost(TIMEOUT).until(() -> proxy.backend.inFlight() == 0);
    }

    @Test
    void disconnectAbortsARequestWithoutResponse() throws IOException {
        Socket client = proxy.send(GET);
        try (Socket there = proxy.application.accept()) {
            ProxyFixture.readHead(there.getInputStream());
            there.setSoTimeout(ProxyFixture.TIMEOUT_MILLIS);

            client.close();

            assertThat(there.getInputStream().readAllBytes()).isEmpty();
        }
        await().atMost(TIMEOUT).until(() -> proxy.backend.inFlight() == 0);
    }

    @Test
    void closedPortFinishesRequestsInProgress() throws IOException {
        try (Socket client = proxy.send(GET); Socket there = proxy.application.accept()) {
            // When
            ProxyFixture.readHead(there.getInputStream());
            proxy.listener.close();

            // Then
            await().atMost(TIMEOUT).until(this::isPortClosed);
            ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)).endsWith("\r\n\r\nok");
        }
    }

    @Test
    void abortedBodyClosesTheBackendConnection() throws IOException {
        // Given
        Socket client = proxy.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nhello");
        try (Socket there = proxy.application.accept()) {
            InputStream in = there.getInputStream();
            ProxyFixture.readHead(in);

            // When: the client resets the connection
            client.setSoLinger(true, 0);
            client.close();

            // Then: the connection to the application ends
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).doesNotContain("POST");
        }
        await().atMost(TIMEOUT).until(() -> proxy.backend.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "fffffffffffff\r\n", "5\r\nhello\n", "0x1" })
    void malformedBodyClosesTheBackendConnection(String body) throws IOException {
        // When
        try (Socket client = proxy.send("POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
                Socket there = proxy.application.accept()) {
            assertThat(ProxyFixture.readHead(there.getInputStream())).startsWith("POST / ");
            ProxyFixture.write(client, body + "\r\n");

            // Then: the connection to the application ends, although the client stays connected
            assertThat(there.getInputStream().readAllBytes()).asString(StandardCharsets.US_ASCII).startsWith("5\r\nhello");
        }
        await().atMost(TIMEOUT).until(() -> proxy.backend.inFlight() == 0);
    }

    @ParameterizedTest
    @CsvSource({ "7000, 1, 0, true", "9000, 1, 0, false", "9000, 1, 1, true", "66000, 1, 1, false", "3, 199, 0, true",
            "3, 200, 0, false" })
    void limitsTheMemoryOfHeads(int letters, int headers, int largeOnes, boolean accepted) {
        // Given
        Semaphore large = new Semaphore(largeOnes);
        EmbeddedChannel channel = new EmbeddedChannel(connection(large, new AtomicLong()));

        // When: the head arrives in parts
        receive(channel, "GET / HTTP/1.1\r\nHost: here\r\n" + ("a:" + "x".repeat(letters) + "\r\n").repeat(headers));
        receive(channel, "\r\n");

        // Then
        HttpObject message = channel.readInbound();
        assertThat(message.decoderResult().isSuccess()).isEqualTo(accepted);
        assertThat(message instanceof HttpRequest).isTrue();
        channel.close();
        assertThat(large.availablePermits()).isEqualTo(largeOnes);
    }

    @Test
    void slowHeadTimesOut() {
        // Given
        AtomicLong now = new AtomicLong();
        ClientConnection connection = connection(new Semaphore(0), now);
        EmbeddedChannel channel = new EmbeddedChannel(connection);
        receive(channel, "GET / HTTP/1.1\r\n");

        // When
        now.set(TimeUnit.SECONDS.toNanos(61));
        connection.check(channel.pipeline().context(connection));

        // Then
        HttpObject message = channel.readInbound();
        assertThat(message.decoderResult().cause()).hasMessageContaining("took longer");
    }

    @ParameterizedTest
    @CsvSource({ "POST / HTTP/1.1|Host: here|Content-Length: 5||a, 119, true",
            "POST / HTTP/1.1|Host: here|Content-Length: 5||a, 121, false", "'', 299, true", "'', 301, false" })
    void silentClientIsDisconnected(String received, int seconds, boolean open) {
        // Given
        AtomicLong now = new AtomicLong();
        ClientConnection connection = connection(new Semaphore(0), now);
        EmbeddedChannel channel = new EmbeddedChannel(connection);
        receive(channel, received.replace("|", "\r\n"));

        // When
        now.set(TimeUnit.SECONDS.toNanos(seconds));
        connection.check(channel.pipeline().context(connection));

        // Then
        assertThat(channel.isOpen()).isEqualTo(open);
    }

    @Test
    void connectionWithARequestInProgressIsNeverIdle() {
        // Given
        AtomicLong now = new AtomicLong();
        ClientConnection connection = connection(new Semaphore(0), now);
        EmbeddedChannel channel = new EmbeddedChannel(connection);
        receive(channel, GET);
        Backend backend = new Backend(1);
        backend.acquire();
        connection.begin(backend, () -> {
        });

        // When
        now.set(TimeUnit.HOURS.toNanos(5));
        connection.check(channel.pipeline().context(connection));

        // Then
        assertThat(channel.isOpen()).isTrue();
        channel.close();
        assertThat(backend.inFlight()).isZero();
    }

    // The kernel accepts connections until the event loop has processed the closed port.
    private boolean isPortClosed() {
        try (Socket _ = proxy.send(GET)) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static ClientConnection connection(Semaphore large, AtomicLong now) {
        HttpServerOptions limits = new HttpServerOptions().setMaxInitialLineLength(ClientConnection.MAX_HEAD_BYTES)
                .setMaxHeaderSize(ClientConnection.MAX_HEAD_BYTES);
        return new ClientConnection(limits, large, now::get, () -> {
        });
    }

    private static void receive(EmbeddedChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }
}
