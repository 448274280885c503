package dev.waybill.controlplane.engine.local.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy with clients and applications that violate HTTP. */
class ReverseProxyTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private ServerSocket application;
    private Backend backend;
    private ProxyListener listener;

    @BeforeEach
    void open() throws IOException {
        application = new ServerSocket(0, 10, HOST);
        backend = new Backend(application.getLocalPort());
        listener = ProxyListener.open(HOST, 0, backend);
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = { "HTTP/1.1 200 OK\r\nno header\r\n\r\n", "HTTP/1.1200\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "SSH-2.0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n" })
    void malformedResponseBecomes503(String response) throws IOException {
        try (Socket client = new Socket(HOST, listener.port())) {
            // When
            send(client, "GET / HTTP/1.1\r\nHost: here\r\n\r\n");
            try (Socket there = application.accept()) {
                HttpHead.readRequest(new BufferedInput(there.getInputStream()));
                send(there, response);
            }

            // Then
            assertThat(text(client.getInputStream())).startsWith("HTTP/1.1 503 ");
        }
        await().atMost(TIMEOUT).until(() -> backend.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length : 5", "no header", " folded: 5", "a: 1\rb: 2" })
    void rejectsAmbiguousHeads(String headers) {
        BufferedInput input = input("POST / HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n\r\n");

        assertThatThrownBy(() -> HttpHead.readRequest(input)).isInstanceOf(RequestException.class);
    }

    @Test
    void forwardsFramingHeadersNamedInConnection() throws IOException {
        // Given
        HttpHead head = HttpHead
                .readRequest(input("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nX-Own: 1\r\nX-Other: 2\r\n"
                        + "Connection: keep-alive, X-Own, content-length, host\r\n\r\n"));

        // When
        String forwarded = new String(head.forwarded(false), StandardCharsets.ISO_8859_1);

        // Then
        assertThat(forwarded).isEqualTo("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nX-Other: 2\r\n"
                + "Connection: close\r\n\r\n");
    }

    @Test
    void abortedBodyClosesTheBackendConnection() throws IOException {
        // Given
        Socket client = new Socket(HOST, listener.port());
        send(client, "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nhello");
        try (Socket there = application.accept()) {
            InputStream in = there.getInputStream();
            HttpHead.readRequest(new BufferedInput(in));

            // When: the client resets the connection
            client.setSoLinger(true, 0);
            client.close();

            // Then: the connection to the application ends
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).doesNotContain("POST");
        }
        await().atMost(TIMEOUT).until(() -> backend.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "fffffffffffff\r\n", "5\r\nhello\n", "0x1" })
    void malformedBodyClosesTheBackendConnection(String body) throws IOException {
        try (Socket client = new Socket(HOST, listener.port())) {
            // When
            send(client, "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n" + body);

            // Then: the connection to the application ends, although the client stays connected
            try (Socket there = application.accept()) {
                assertThat(text(there.getInputStream())).startsWith("POST / ");
            }
            await().atMost(TIMEOUT).until(() -> backend.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @CsvSource({ "7000, 1, 0, true", "9000, 1, 0, false", "9000, 1, 1, true", "66000, 1, 1, false", "3, 199, 0, true",
            "3, 200, 0, false" })
    void limitsTheMemoryOfHeads(int letters, int headers, int largeOnes, boolean accepted) {
        // Given
        Semaphore large = new Semaphore(largeOnes);
        BufferedInput input = input("GET / HTTP/1.1\r\n" + ("a:" + "x".repeat(letters) + "\r\n").repeat(headers) + "\r\n");

        // When
        ThrowingCallable read = () -> assertThat(new HttpHeadReader(input, large, TIMEOUT).read()).hasSize(headers + 1);

        // Then
        if (accepted) {
            assertThatCode(read).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(read).isInstanceOf(IOException.class);
        }
        assertThat(large.availablePermits()).isEqualTo(largeOnes);
    }

    @Test
    void slowHeadTimesOut() {
        assertThatThrownBy(
                () -> new HttpHeadReader(input("GET / HTTP/1.1\r\n\r\n"), new Semaphore(0), Duration.ofNanos(-1)).read())
                .isInstanceOf(IOException.class).hasMessageContaining("took longer");
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static BufferedInput input(String text) {
        return new BufferedInput(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
