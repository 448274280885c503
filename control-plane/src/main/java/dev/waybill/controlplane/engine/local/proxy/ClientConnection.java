package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A client's connection. Its thread reads from the client continuously, so it notices when the client disconnects during a
 * response and aborts the request at the application. Every request uses a new connection to the current backend, so none is
 * sent on a connection that is closing.
 */
final class ClientConnection {

    private static final int READ_TIMEOUT_MILLIS = 120_000;
    private static final int DRAIN_MILLIS = 2_000;
    // Longer than idle timeouts of clients, so that the client closes first.
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);

    private final ProxyListener listener;
    private final Socket client;

    ClientConnection(ProxyListener listener, Socket client) {
        this.listener = listener;
        this.client = client;
    }

    void serve() {
        try (client) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(READ_TIMEOUT_MILLIS);
            serve(new BufferedInput(client.getInputStream()));
        } catch (IOException _) {
            // The client has disconnected.
        }
    }

    private void serve(BufferedInput input) throws IOException {
        ProxyExchange before = null;
        while (true) {
            HttpHead request = null;
            RequestException malformed = null;
            try {
                request = awaitRequest(input, before) ? HttpHead.readRequest(input) : null;
            } catch (RequestException e) {
                malformed = e;
            } catch (IOException _) {
                // The client has disconnected.
            }
            if (!awaitPrevious(before, request != null || malformed != null)) {
                return;
            }
            if (malformed != null) {
                end(malformed.response(), null);
                return;
            }
            before = request == null ? null : begin(request);
            if (before == null || !before.send(input)) {
                return;
            }
        }
    }

    /** Waits for the previous response, because responses are sent in the order of the requests. */
    private static boolean awaitPrevious(@Nullable ProxyExchange before, boolean another) {
        if (before == null) {
            return another;
        }
        if (!another) {
            before.abort();
            return false;
        }
        return before.awaitEnd();
    }

    private static boolean awaitRequest(BufferedInput input, @Nullable ProxyExchange before) {
        long begin = System.nanoTime();
        while (true) {
            try {
                return input.fill();
            } catch (SocketTimeoutException _) {
                long since = before == null ? begin : before.endOr(System.nanoTime());
                if (System.nanoTime() - since > IDLE_TIMEOUT.toNanos()) {
                    return false;
                }
            } catch (IOException _) {
                return false;
            }
        }
    }

    private @Nullable ProxyExchange begin(HttpHead request) throws IOException {
        Backend backend = listener.acquire();
        try {
            return ProxyExchange.begin(request, client, backend);
        } catch (IOException _) {
            backend.release();
            end(ProxyError.UNAVAILABLE, request);
            return null;
        }
    }

    /** Sends the connection's last response; subsequent input is ignored. */
    private void end(ProxyError response, @Nullable HttpHead request) throws IOException {
        client.getOutputStream().write(response.bytes(request));
        drain(client);
    }

    /** Discards input for a moment: closing with unread input resets the connection, and the client could lose the response. */
    static void drain(Socket client) throws IOException {
        client.shutdownOutput();
        client.setSoTimeout(DRAIN_MILLIS);
        InputStream in = client.getInputStream();
        byte[] dropped = new byte[8 << 10];
        long end = System.nanoTime() + DRAIN_MILLIS * 1_000_000L;
        while (System.nanoTime() < end && in.read(dropped) >= 0) {
            // Discarded.
        }
    }
}
