package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A client's connection. Its thread always reads the client: so it notices when the client goes away while an answer is under
 * way, and breaks it off at the application, too. Every request gets a connection of its own to the application that is in
 * charge when it comes, so none is sent into a connection that is being closed.
 */
final class Connection {

    private static final int SILENCE_MILLIS = 120_000;
    private static final int DRAIN_MILLIS = 2_000;
    // Longer than clients keep connections that they do not use: who closes first must be the client.
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final Door door;
    private final Socket client;

    Connection(Door door, Socket client) {
        this.door = door;
        this.client = client;
    }

    void serve() {
        try (client) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(SILENCE_MILLIS);
            serve(new Wire(client.getInputStream()));
        } catch (IOException _) {
            // The client is gone, and with it whom to tell.
        }
    }

    private void serve(Wire wire) throws IOException {
        Exchange before = null;
        while (true) {
            Head request = null;
            RequestException malformed = null;
            try {
                request = awaitRequest(wire, before) ? Head.readRequest(wire) : null;
            } catch (RequestException e) {
                malformed = e;
            } catch (IOException _) {
                // The client is gone.
            }
            if (!mayAnswer(before, request != null || malformed != null)) {
                return;
            }
            if (malformed != null) {
                end(malformed.response(), null);
                return;
            }
            before = request == null ? null : begin(request);
            if (before == null || !before.send(wire)) {
                return;
            }
        }
    }

    /** Requests are answered in their order: the one before comes first. */
    private static boolean mayAnswer(@Nullable Exchange before, boolean another) {
        if (before == null) {
            return another;
        }
        if (!another) {
            before.breakOff();
            return false;
        }
        return before.awaitEnd();
    }

    private static boolean awaitRequest(Wire wire, @Nullable Exchange before) {
        long begin = System.nanoTime();
        while (true) {
            try {
                return wire.fill();
            } catch (SocketTimeoutException _) {
                long since = before == null ? begin : before.endOr(System.nanoTime());
                if (System.nanoTime() - since > IDLE.toNanos()) {
                    return false;
                }
            } catch (IOException _) {
                return false;
            }
        }
    }

    private @Nullable Exchange begin(Head request) throws IOException {
        Backend backend = door.enter();
        try {
            return Exchange.begin(request, client, backend);
        } catch (IOException _) {
            backend.leave();
            end(ProxyError.UNAVAILABLE, request);
            return null;
        }
    }

    /** The connection's last answer: nothing that comes behind it is looked at. */
    private void end(ProxyError response, @Nullable Head request) throws IOException {
        client.getOutputStream().write(response.bytes(request));
        drain(client);
    }

    /** Reads and drops for a moment: a reset could take the answer from the client before it has read it. */
    static void drain(Socket client) throws IOException {
        client.shutdownOutput();
        client.setSoTimeout(DRAIN_MILLIS);
        InputStream in = client.getInputStream();
        byte[] dropped = new byte[8 << 10];
        long end = System.nanoTime() + DRAIN_MILLIS * 1_000_000L;
        while (System.nanoTime() < end && in.read(dropped) >= 0) {
            // Nobody looks at it.
        }
    }
}
