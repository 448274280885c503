package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A client's connection. Its thread always reads the client: so it notices when the client goes away while an answer is under
 * way, and breaks it off at the application, too. Every request gets a connection of its own to the application that is in
 * charge when it comes, so none is sent into a connection that is being closed.
 */
final class Connection {

    private static final String UNAVAILABLE = "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
            + "\"detail\":\"The application is not running at the moment; try again in a few seconds.\"}";

    private static final int SILENCE_MILLIS = 120_000;
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
            Head request = awaitRequest(wire, before) ? next(wire) : null;
            if (before != null) {
                if (request == null) {
                    before.breakOff();
                    return;
                }
                if (!before.awaitEnd()) {
                    return;
                }
            }
            if (request == null) {
                return;
            }
            before = begin(request);
            if (before == null) {
                return;
            }
            before.send(wire);
        }
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

    private static @Nullable Head next(Wire wire) {
        try {
            return Head.read(wire);
        } catch (IOException _) {
            return null;
        }
    }

    private @Nullable Exchange begin(Head request) throws IOException {
        Backend backend = door.enter();
        try {
            return Exchange.begin(request, client, backend);
        } catch (IOException _) {
            backend.leave();
            refuse(client);
            return null;
        }
    }

    static void refuse(Socket client) throws IOException {
        client.getOutputStream().write(("HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n"
                + "Retry-After: 2\r\nConnection: close\r\nContent-Length: " + UNAVAILABLE.length() + "\r\n\r\n" + UNAVAILABLE)
                .getBytes(StandardCharsets.US_ASCII));
        client.shutdownOutput();
        client.setSoTimeout(2_000);
        client.getInputStream().skipNBytes(1 << 20);
    }
}
