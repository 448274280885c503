package dev.waybill.controlplane.engine.local.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Slow receivers of large bodies. The difference between the sent and the received bytes is the memory of the proxy and of the
 * sockets, which must not grow with the body.
 */
class BackpressureTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final long BODY_BYTES = 200L << 20;
    /** Linux' buffers of the four sockets are at most 20 MiB by default. */
    private static final long MAX_BUFFERED_BYTES = 64L << 20;
    private static final int BLOCK_BYTES = 64 << 10;

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
    @CsvSource({ "HTTP/1.1, Content-Length: " + BODY_BYTES, "HTTP/1.0, Connection: close" })
    void slowClientStopsTheApplication(String version, String framing) throws Exception {
        // Given
        try (Socket client = proxy.send("GET / " + version + "\r\nHost: here\r\n\r\n");
                Socket there = proxy.application.accept()) {
            ProxyFixture.readHead(there.getInputStream());
            ProxyFixture.write(there, "HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n");

            // When: the client does not read the body
            AtomicLong sent = new AtomicLong();
            Thread sender = Thread.ofPlatform().start(() -> sendBody(there, sent));
            assertThat(ProxyFixture.readHead(client.getInputStream())).contains(" 200 ");
            awaitBlocked(sender, sent);

            // Then
            assertReceivesWithinBounds(client.getInputStream(), sent);
            sender.join();
            assertThat(sent).hasValue(BODY_BYTES);
        }
    }

    @Test
    void slowApplicationStopsTheClient() throws Exception {
        // Given
        try (Socket client = proxy.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n")) {
            // When: the application does not read the body
            AtomicLong sent = new AtomicLong();
            Thread sender = Thread.ofPlatform().start(() -> sendBody(client, sent));
            try (Socket there = proxy.application.accept()) {
                ProxyFixture.readHead(there.getInputStream());
                awaitBlocked(sender, sent);

                // Then
                assertReceivesWithinBounds(there.getInputStream(), sent);
                sender.join();
                assertThat(sent).hasValue(BODY_BYTES);
                ProxyFixture.write(there, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                assertThat(ProxyFixture.readUntil(client.getInputStream(), "ok")).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    private static void sendBody(Socket socket, AtomicLong sent) {
        byte[] block = new byte[BLOCK_BYTES];
        try {
            while (sent.get() < BODY_BYTES) {
                socket.getOutputStream().write(block);
                sent.addAndGet(block.length);
            }
        } catch (IOException _) {
            // The test failed and closed the sockets.
        }
    }

    /** Waits until the sender makes no progress, or is done because nothing stopped it. */
    private static void awaitBlocked(Thread sender, AtomicLong sent) {
        AtomicLong before = new AtomicLong(-1);
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(300))
                .until(() -> !sender.isAlive() || before.getAndSet(sent.get()) == sent.get());
    }

    private static void assertReceivesWithinBounds(InputStream in, AtomicLong sent) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        long received = 0;
        while (received < BODY_BYTES) {
            assertThat(sent.get() - received).isLessThan(MAX_BUFFERED_BYTES);
            int count = in.read(block);
            assertThat(count).as("after %s bytes", received).isPositive();
            received += count;
        }
    }
}
