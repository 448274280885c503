package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.ControlPlaneStub;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import io.restassured.RestAssured;

/** Clients that disconnect, stall or read slowly. */
@RuntimeTest
class ClientFaultTest {

    private static final Duration LATER = Duration.ofHours(1);
    /** Maximum size of a run's events in flight: the credit and one line. */
    private static final long MOST_BYTES = (64 << 10) + (1 << 20);
    private static final String PIECES = "\"stream_mode\": \"messages-tuple\"";
    private static final Pattern RUN = Pattern.compile("Content-Location: /runs/(\\S+)", Pattern.CASE_INSENSITIVE);

    private final String key = "issued-" + UUID.randomUUID();
    private final Caller caller = new Caller(key);

    @Inject
    RunLifecycleService runs;

    @Inject
    HeartbeatTimer heartbeats;

    @ParameterizedTest
    @CsvSource({ "cancel, interrupted", "continue, success" })
    void connectionResetCancelsRunUnlessOnDisconnectIsContinue(String onDisconnect, String status) throws IOException {
        Socket client = open("/runs/stream", Bodies.misbehaving("stay", "\"on_disconnect\": \"" + onDisconnect + "\""));
        Run run = runs.require(UUID.fromString(run(client)), "workspace:" + ControlPlaneStub.WORKSPACE);

        client.setSoLinger(true, 0);
        client.close();

        Patience.await().until(() -> !run.log().hasReaders());
        if (run.request().cancelsOnDisconnect()) {
            caller.awaitStatus(run.id().toString(), "interrupted");
        }
        caller.await(Bodies.misbehaving("end")).then().statusCode(200);
        caller.awaitStatus(run.id().toString(), status);
    }

    @Test
    void connectionResetCancelsAwaitedRun() throws IOException {
        Socket client = open("/runs/wait", Bodies.misbehaving("stay"));
        String run = run(client);
        client.setSoLinger(true, 0);
        client.close();
        caller.awaitStatus(run, "interrupted");
    }

    /** Reads single bytes, far too few to drain the socket. */
    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void stalledClientIsDisconnectedWithBoundedMemory(boolean readsAByteNowAndThen) throws IOException {
        // Given
        try (Socket client = open("/runs/stream", Bodies.agent("tokens:100000", PIECES))) {
            Run run = runs.require(UUID.fromString(run(client)), "workspace:" + ControlPlaneStub.WORKSPACE);

            // When
            try (EventReader fast = EventReader.stream(Bodies.agent("tokens:2000", PIECES))) {
                assertThat(fast.rest()).hasSize(2002);
            }

            // Then
            Patience.await().until(() -> {
                assertThat(run.log().bytes()).isLessThan(MOST_BYTES);
                heartbeats.check(System.nanoTime() + LATER.toNanos());
                return (readsAByteNowAndThen && client.getInputStream().read() < 0) || run.status().isFinal();
            });
            caller.awaitStatus(run.id().toString(), "interrupted");
            assertThat(run.log().hasReaders()).isFalse();
        }
    }

    @Test
    void slowClientIsNeverDisconnected() {
        try (EventReader silent = EventReader.stream(Bodies.misbehaving("stay", "\"stream_mode\": \"custom\""))) {
            assertThat(silent.next()).isPresent();
            heartbeats.check(System.nanoTime() + LATER.toNanos());
            silent.awaitHeartbeats(1);
            caller.await(Bodies.misbehaving("end")).then().statusCode(200);
            assertThat(silent.rest()).extracting(EventReader.Event::name).containsExactly("custom", "end");
        }
    }

    /** Opens a socket with a minimal receive buffer. */
    private Socket open(String path, String body) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1024);
        socket.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
        byte[] json = body.getBytes(StandardCharsets.UTF_8);
        socket.getOutputStream().write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(json);
        return socket;
    }

    /** Reads the response head only. */
    private static String run(Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = client.getInputStream().read();
            assertThat(read).as("after %s", head).isNotNegative();
            head.append((char) read);
        }
        Matcher run = RUN.matcher(head);
        assertThat(run.find()).as("%s", head).isTrue();
        return run.group(1);
    }
}
