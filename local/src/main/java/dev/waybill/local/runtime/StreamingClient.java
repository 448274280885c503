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
 * One client with one connection, which it keeps for its next request as real clients do. It reads an answer's events one by
 * one, as slowly as it likes, and may go away in the middle. For one thread, but for
 * {@link #pace} and {@link #close}.
 */
public final class StreamingClient implements AutoCloseable {

    private static final int CONNECT_MILLIS = 60_000;

    private final Socket socket;
    private final String host;
    private volatile @Nullable HttpAnswer answer;
    private long heartbeats;

    private StreamingClient(Socket socket, String host) {
        this.socket = socket;
        this.host = host;
    }

    public static StreamingClient connect(URI server) {
        return connect(server, null, 0);
    }

    /**
     * @param from the address that it calls from, where one has too few ports; null for any
     * @param window how many bytes the system takes from the network before they are read; 0 for its own choice
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

    /** Asks, and returns with the head of the answer, which has to be 200. */
    public void post(String path, byte[] json) {
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/event-stream\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + json.length + "\r\n\r\n";
        byte[] request = new byte[head.length() + json.length];
        System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
        System.arraycopy(json, 0, request, head.length(), json.length);
        try {
            socket.getOutputStream().write(request);
            HttpAnswer last = answer;
            HttpAnswer next = last == null ? HttpAnswer.read(socket.getInputStream()) : last.next();
            answer = next;
            if (next.status() != 200) {
                throw new IllegalStateException(path + " is answered " + next.status() + ": " + next.rest());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next event; empty when the answer is over. What is cut off in the middle throws. */
    public Optional<ServerEvent> next() {
        String id = "";
        String name = "";
        String data = "";
        try {
            for (String line = current().line(); line != null; line = current().line()) {
                if (line.isEmpty()) {
                    // Also behind a heartbeat, as some servers write them.
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
                    throw new IllegalStateException("not a line of an event stream: " + line);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until a heartbeat; what comes before is lost. @return false when the answer is over */
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

    /** How many have come, in all of its answers. */
    public long heartbeats() {
        return heartbeats;
    }

    /** @return a header of the answer that is being read, by its name in lower case; empty without it */
    public String header(String name) {
        return current().header(name);
    }

    /** From now on it reads that many bytes a second; 0 for as fast as it can. */
    public void pace(int bytesPerSecond) {
        current().pace(bytesPerSecond);
    }

    /** Goes away, with or without the end. */
    @Override
    public void close() {
        close(socket);
    }

    private HttpAnswer current() {
        HttpAnswer current = answer;
        if (current == null) {
            throw new IllegalStateException("nothing was asked yet");
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
