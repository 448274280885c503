package dev.waybill.controlplane.engine.local.gate;

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

/** What the gate does with clients and applications that do not keep to HTTP. */
class GateTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private ServerSocket application;
    private Backend backend;
    private Door door;

    @BeforeEach
    void open() throws IOException {
        application = new ServerSocket(0, 10, HOST);
        backend = new Backend(application.getLocalPort());
        door = Door.open(HOST, 0, backend);
    }

    @AfterEach
    void close() throws IOException {
        door.close();
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = { "HTTP/1.1 200 OK\r\nno header\r\n\r\n", "HTTP/1.1200\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "SSH-2.0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n" })
    void anAnswerThatIsNoneIsToldAsUnavailable(String answer) throws IOException {
        try (Socket client = new Socket(HOST, door.port())) {
            // When
            send(client, "GET / HTTP/1.1\r\nHost: here\r\n\r\n");
            try (Socket there = application.accept()) {
                Head.readRequest(new Wire(there.getInputStream()));
                send(there, answer);
            }

            // Then
            assertThat(text(client.getInputStream())).startsWith("HTTP/1.1 503 ");
        }
        await().atMost(PATIENCE).until(() -> backend.underWay() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length : 5", "no header", " folded: 5", "a: 1\rb: 2" })
    void headsThatTwoReadersCouldReadDifferentlyAreRefused(String headers) {
        Wire wire = wire("POST / HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n\r\n");

        assertThatThrownBy(() -> Head.readRequest(wire)).isInstanceOf(RequestException.class);
    }

    @Test
    void whatEndsABodyIsPassedOnWhateverTheClientCallsItsOwn() throws IOException {
        // Given
        Head head = Head.readRequest(wire("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nX-Own: 1\r\nX-Kept: 2\r\n"
                + "Connection: keep-alive, X-Own, content-length, host\r\n\r\n"));

        // When
        String forwarded = new String(head.forwarded(false), StandardCharsets.ISO_8859_1);

        // Then
        assertThat(forwarded).isEqualTo("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nX-Kept: 2\r\n"
                + "Connection: close\r\n\r\n");
    }

    @Test
    void anApplicationDoesNotWaitForABodyThatWasBrokenOff() throws IOException {
        // Given
        Socket client = new Socket(HOST, door.port());
        send(client, "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nhello");
        try (Socket there = application.accept()) {
            InputStream in = there.getInputStream();
            Head.readRequest(new Wire(in));

            // When: not in order, but by a reset
            client.setSoLinger(true, 0);
            client.close();

            // Then: its end comes
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).doesNotContain("POST");
        }
        await().atMost(PATIENCE).until(() -> backend.underWay() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "fffffffffffff\r\n", "5\r\nhello\n", "0x1" })
    void anApplicationDoesNotWaitForABodyThatNobodyCanRead(String body) throws IOException {
        try (Socket client = new Socket(HOST, door.port())) {
            // When
            send(client, "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n" + body);

            // Then: its end comes, although the client stays
            try (Socket there = application.accept()) {
                assertThat(text(there.getInputStream())).startsWith("POST / ");
            }
            await().atMost(PATIENCE).until(() -> backend.underWay() == 0);
        }
    }

    @ParameterizedTest
    @CsvSource({ "7000, 1, 0, true", "9000, 1, 0, false", "9000, 1, 1, true", "66000, 1, 1, false", "3, 199, 0, true",
            "3, 200, 0, false" })
    void headsTakeNoMoreMemoryThanThereIs(int letters, int headers, int largeOnes, boolean taken) {
        // Given
        Semaphore large = new Semaphore(largeOnes);
        Wire wire = wire("GET / HTTP/1.1\r\n" + ("a:" + "x".repeat(letters) + "\r\n").repeat(headers) + "\r\n");

        // When
        ThrowingCallable read = () -> assertThat(new HeadReader(wire, large, PATIENCE).read()).hasSize(headers + 1);

        // Then
        if (taken) {
            assertThatCode(read).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(read).isInstanceOf(IOException.class);
        }
        assertThat(large.availablePermits()).isEqualTo(largeOnes);
    }

    @Test
    void aHeadThatTakesTooLongIsGivenUp() {
        assertThatThrownBy(() -> new HeadReader(wire("GET / HTTP/1.1\r\n\r\n"), new Semaphore(0), Duration.ofNanos(-1)).read())
                .isInstanceOf(IOException.class).hasMessageContaining("took longer");
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static Wire wire(String text) {
        return new Wire(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
