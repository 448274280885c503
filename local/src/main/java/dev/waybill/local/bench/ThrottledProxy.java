package dev.waybill.local.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * A link to the S3 server that passes on so many bytes a second on each connection and no more, as a store elsewhere does. It
 * only forwards, so what it costs is next to nothing.
 */
final class ThrottledProxy implements AutoCloseable {

    private static final int CHUNK = 16 << 10;
    /** More than any request without content. */
    private static final long CONTENT = 64 << 10;

    private final ServerSocket entry;
    private final URI store;
    private volatile double bytesPerSecond;
    private volatile long contentSince = Long.MAX_VALUE;

    ThrottledProxy(URI store, double bytesPerSecond) {
        this.store = store;
        this.bytesPerSecond = bytesPerSecond;
        try {
            entry = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + entry.getLocalPort());
    }

    void speed(double value) {
        bytesPerSecond = value;
    }

    /** Notes anew when the first connection has carried content. */
    void forgetContent() {
        contentSince = Long.MAX_VALUE;
    }

    /** @return when it was, as {@link System#nanoTime}; {@link Long#MAX_VALUE} when it has not been */
    long contentSince() {
        return contentSince;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entry.accept();
                Socket server = new Socket(store.getHost(), store.getPort());
                Thread.ofVirtual().start(() -> pass(client, server, true));
                Thread.ofVirtual().start(() -> pass(server, client, false));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void pass(Socket from, Socket to, boolean upwards) {
        byte[] chunk = new byte[CHUNK];
        long passed = 0;
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                if (upwards) {
                    passed += length;
                    Thread.sleep((long) (1000 * length / bytesPerSecond), (int) (1e9 * length / bytesPerSecond % 1e6));
                    if (passed > CONTENT) {
                        contentSince = Math.min(contentSince, System.nanoTime());
                    }
                }
                out.write(chunk, 0, length);
                out.flush();
            }
        } catch (IOException _) {
            // one side has closed the connection; so does the other now
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            entry.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
