package dev.waybill.local.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A client with one connection, which it reuses. Reads the events of a response one at a time, optionally at a limited rate,
 * and can
 * disconnect before the end. Only {@link #setReadRate} and {@link #close} may be called by other threads.
 */
public final class StreamingClient implements AutoCloseable {

    private static final int CONNECT_MILLIS = 60_000;

    private final Socket socket;
    private final String host;
    private volatile @Nullable HttpResponseReader response;
    private long heartbeats;

    private StreamingClient(Socket socket, String host) {
        this.socket = socket;
        this.host = host;
    }

    public static StreamingClient connect(URI server) {
        return connect(server, null, 0);
    }

    /**
     * Connects to a server.
     *
     * @param from the client address, to use more ports than one address has; null for any
     * @param window the size of the receive buffer in bytes; 0 for the system's default
     */
    public static StreamingClient connect(URI server, @Nullable InetAddress from, int window) {
        Socket socket = new Socket();
        try {
            if (window > 0) {
                socket.setReceiveBufferSize(window);
            }
            socket.setTcpNoDelay(true);
            if (from != null) {
                socket.bind(new InetSocketAddress(from, 0));
            }
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), CONNECT_MILLIS);
            return new StreamingClient(socket, server.getAuthority());
        } catch (IOException e) {
            close(socket);
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a request and reads the head of the response. Fails if its status is not 200. */
    public void post(String path, byte[] json) {
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/event-stream\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + json.length + "\r\n\r\n";
        byte[] request = new byte[head.length() + json.length];
        System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
        System.arraycopy(json, 0, request, head.length(), json.length);
        try {
            socket.getOutputStream().write(request);
            HttpResponseReader last = response;
            HttpResponseReader next = last == null ? HttpResponseReader.read(socket.getInputStream()) : last.next();
            response = next;
            if (next.status() != 200) {
                throw new IllegalStateException(path + " returned " + next.status() + ": " + next.rest());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the next event; empty at the end of the response. Fails if the response is truncated. */
    public Optional<ServerEvent> next() {
        String id = "";
        String name = "";
        String data = "";
        try {
            for (String line = current().line(); line != null; line = current().line()) {
                if (line.isEmpty()) {
                    // Some servers also write an empty line after a heartbeat.
                    if (!name.isEmpty() || !data.isEmpty()) {
                        return Optional.of(new ServerEvent(id, name, data));
                    }
                } else if (line.startsWith(":")) {
                    heartbeats++;
                } else if (line.startsWith("id:")) {
                    id = line.substring(3).strip();
                } else if (line.startsWith("event:")) {
                    name = line.substring(6).strip();
                } else if (line.startsWith("data:")) {
                    data = data.isEmpty() ? line.substring(5).stripLeading() : data + "\n" + line.substring(5).stripLeading();
                } else {
                    throw new IllegalStateException("invalid line in the event stream: " + line);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the next heartbeat and discards events. Returns false at the end of the response. */
    public boolean awaitHeartbeat() {
        try {
            for (String line = current().line(); line != null; line = current().line()) {
                if (line.startsWith(":")) {
                    heartbeats++;
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of heartbeats in all responses. */
    public long heartbeats() {
        return heartbeats;
    }

    /** Returns a header of the current response by its lower-case name; empty if missing. */
    public String header(String name) {
        return current().header(name);
    }

    /** Limits the read rate from now on; 0 removes the limit. */
    public void setReadRate(int bytesPerSecond) {
        current().setReadRate(bytesPerSecond);
    }

    /** Disconnects. */
    @Override
    public void close() {
        close(socket);
    }

    private HttpResponseReader current() {
        HttpResponseReader current = response;
        if (current == null) {
            throw new IllegalStateException("no request was sent");
        }
        return current;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
