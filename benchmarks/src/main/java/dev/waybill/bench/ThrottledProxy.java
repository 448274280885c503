package dev.waybill.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * Proxy in front of the S3 server that limits the upload rate of each connection, like a remote store. Its own CPU cost
 * is negligible.
 */
final class ThrottledProxy implements AutoCloseable {

    private static final int CHUNK = 16 << 10;
    /** Exceeds the size of any request without content. */
    private static final long CONTENT_THRESHOLD = 64 << 10;

    private final ServerSocket listener;
    private final URI store;
    private volatile double bytesPerSecond;
    private volatile long firstContentNanos = Long.MAX_VALUE;

    ThrottledProxy(URI store, double bytesPerSecond) {
        this.store = store;
        this.bytesPerSecond = bytesPerSecond;
        try {
            listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    void setRate(double value) {
        bytesPerSecond = value;
    }

    /** Resets the time of the first content. */
    void resetContentTime() {
        firstContentNanos = Long.MAX_VALUE;
    }

    /** Returns {@link System#nanoTime} of the first content; {@link Long#MAX_VALUE} before it. */
    long firstContentNanos() {
        return firstContentNanos;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(store.getHost(), store.getPort());
                Thread.ofVirtual().start(() -> forward(client, server, true));
                Thread.ofVirtual().start(() -> forward(server, client, false));
            }
        } catch (IOException _) {
            // The proxy was closed.
        }
    }

    private void forward(Socket from, Socket to, boolean upload) {
        byte[] chunk = new byte[CHUNK];
        long forwarded = 0;
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                if (upload) {
                    forwarded += length;
                    Thread.sleep((long) (1000 * length / bytesPerSecond), (int) (1e9 * length / bytesPerSecond % 1e6));
                    if (forwarded > CONTENT_THRESHOLD) {
                        firstContentNanos = Math.min(firstContentNanos, System.nanoTime());
                    }
                }
                out.write(chunk, 0, length);
                out.flush();
            }
        } catch (IOException _) {
            // One side closed the connection; closes the other side, too.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
